import Foundation

/// A `photos serve` process on a library, from its start to its end.
final class ServedGallery {
    /// The link that signs a browser in, once.
    let link: String
    let port: UInt16
    private let process = Process()

    /// Starts the `photos` next to this program, and waits for its link.
    init(library: URL, folder: URL) throws {
        process.executableURL = try Probe.neighbor("photos")
        process.arguments = ["--library", library.path, "serve", "--port", "0"]
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CACHE_HOME"] = folder.appendingPathComponent("cache").path
        environment["XDG_STATE_HOME"] = folder.appendingPathComponent("state").path
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var text = ""
        var link: String?
        while link == nil {
            let part = pipe.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            text += String(decoding: part, as: UTF8.self)
            // The link is complete only when its line is.
            link =
                text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().lazy
                .compactMap { line in
                    line.range(of: "http://").map { String(line[$0.lowerBound...]) }
                }
                .first
        }
        guard let link = link?.split(whereSeparator: \.isWhitespace).first.map(String.init),
            let port = URLComponents(string: link)?.port.flatMap(UInt16.init(exactly:))
        else { throw BenchmarkError(description: "photos serve gave no link: \(text)") }
        self.link = link
        self.port = port
    }

    /// The peak memory of the server so far, in megabytes.
    var peakMemory: Double { ProcessMemory.peak(of: process.processIdentifier) }

    /// The processor time used so far, in seconds.
    var processorTime: Double { ProcessMemory.processorTime(of: process.processIdentifier) }

    /// Stops the server and waits until it has exited.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Signs in with the link, which works once.
    func enter() throws -> LoadClient.Proof {
        let token = link.components(separatedBy: "#token=").last ?? ""
        return try LoadClient(port: port).enter(token)
    }
}
