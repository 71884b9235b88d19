import Foundation

/// Runs programs that check the library's results from outside.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the standard output of a program.
    static func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        let writer = Thread {
            stdin.fileHandleForWriting.write(Data(input.utf8))
            try? stdin.fileHandleForWriting.close()
        }
        writer.start()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) ended with \(process.terminationStatus)")
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the path of an executable of this package, which is next to the tests.
    static func executable(_ name: String) -> String {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments.first ?? "."
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// An empty folder that is removed with its owner.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
