import Glibc
import Imaging
import Media
import Testing
import WorkerProtocol

@testable import PhotosWorker

/// Probes files as the worker does, but in this process.
struct Prober: Sendable {
    /// The answer to a request.
    enum Answer {
        case facts(MediaFacts)
        case unsupported(reason: String)
        case failed(reason: String)

        var facts: MediaFacts? { if case .facts(let facts) = self { facts } else { nil } }

        var reason: String? {
            switch self {
            case .facts: nil
            case .unsupported(let reason), .failed(let reason): reason
            }
        }
    }

    static let shared = Prober()

    private init() { _ = Codecs.open() }

    /// Probes the file at a path.
    func probe(path: String, wantsTags: Bool = false) throws -> Answer {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
        defer { close(descriptor) }
        let handler = ProbeHandler(
            request: ProbeRequest(filename: path, renditionSide: 0, wantsTags: wantsTags),
            limits: .standard,
            converter: ColorConverter()
        )
        switch handler.probe(descriptor, pixels: nil) {
        case .probed(let facts, firstRendition: nil): return .facts(facts)
        case .unsupported(let reason): return .unsupported(reason: reason)
        case .failed(let reason): return .failed(reason: reason)
        case let other:
            Issue.record("\(other) answers no probe")
            return .failed(reason: "It has another answer.")
        }
    }
}
