import Foundation

/// `photos serve` on a library, from its start to its end.
final class ServedGallery {
    /// What lets a browser in.
    let link: String
    let port: UInt16
    private let process = Process()

    /// Starts the `photos` that lies beside this program, and waits for its link.
    init(library: URL, folder: URL) throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = own.deletingLastPathComponent().appendingPathComponent("photos")
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
            // Only a whole line has a whole link.
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

    /// The most memory that the server had so far, in megabytes.
    var peakMemory: Double { ProcessMemory.peak(of: process.processIdentifier) }

    /// Ends it, and waits until it has ended.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The cookie that the link is exchanged for.
    func cookie() throws -> String {
        let token = link.split(separator: "?").last.map(String.init) ?? ""
        let answer = try LoadClient(port: port).get("/?\(token)", cookie: nil)
        guard let cookie = answer.headers["set-cookie"]?.split(separator: ";").first else {
            throw BenchmarkError(description: "The gallery set no cookie: \(answer.status)")
        }
        return String(cookie)
    }
}
