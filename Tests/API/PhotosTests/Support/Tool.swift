import Foundation

/// Runs programs that judge from outside what the library does.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What a program writes to its standard output.
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

    /// Where an executable of this package is: beside the tests.
    static func executable(_ name: String) -> String {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments.first ?? "."
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// An empty folder that goes with its owner.
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
