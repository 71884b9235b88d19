import Glibc
import Testing
import WorkerClient
import WorkerProtocol

extension WorkerPool {
    /// Probes the file at a path.
    func probe(path: String, renditionSide: Int = 0) throws -> ProbeAnswer {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
        defer { close(descriptor) }
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return try probe(
            ProbeRequest(filename: name, renditionSide: renditionSide),
            descriptor: descriptor
        )
    }
}
