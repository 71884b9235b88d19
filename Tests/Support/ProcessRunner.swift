package import Foundation

/// Runs other programs: our own, and those that check our files.
package enum ProcessRunner {
    /// The exit status and the output of a program.
    package struct Output: Sendable {
        /// The exit status, or 128 + the signal that terminated it.
        package let status: Int32
        package let standardOutput: Data
        package let standardError: Data

        package var text: String { String(decoding: standardOutput, as: UTF8.self) }
        package var errorText: String { String(decoding: standardError, as: UTF8.self) }
        package var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// Returns the path of a program in `$PATH`, or nil if it is not installed.
    package static func path(of program: String) -> String? {
        if program.contains("/") {
            return FileManager.default.isExecutableFile(atPath: program) ? program : nil
        }
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return search.split(separator: ":").lazy
            .map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end, with its input closed.
    ///
    /// Both outputs go to files, so a program with much output cannot block. `environment` is added
    /// to that of this process; a nil value removes a variable. Throws if the program does not
    /// exist or cannot be started. A failing exit status is not an error.
    package static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        folder: URL? = nil
    ) throws -> Output {
        let started = try start(
            program,
            arguments,
            environment: environment,
            folder: folder
        )
        return started.wait()
    }

    /// Runs SQL in a database of SQLite as one transaction, with the program `sqlite3`.
    package static func sqlite(_ sql: String, in database: URL) throws {
        let folder = try TemporaryFolder("photos-sql")
        let script = try folder.write(Data(("BEGIN;\n" + sql + "\nCOMMIT;\n").utf8), to: "script")
        let output = try run("sqlite3", ["-bail", database.path, ".read '\(script.path)'"])
        guard output.status == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: "sqlite3: \(output.errorText)"]
            )
        }
    }

    /// Starts a program and returns at once, for tests that kill it.
    package static func start(
        _ program: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        folder: URL? = nil
    ) throws -> RunningProcess {
        guard let path = path(of: program) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: program])
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var merged = ProcessInfo.processInfo.environment
        for (name, value) in environment { merged[name] = value }
        process.environment = merged
        return try RunningProcess(process)
    }
}

/// A program that a test started.
///
/// `@unchecked Sendable`: only the test that started it accesses `process`, one call at a time;
/// Foundation locks its own changes.
package final class RunningProcess: @unchecked Sendable {
    private let process: Process
    private let folder: TemporaryFolder

    fileprivate init(_ process: Process) throws {
        self.process = process
        folder = try TemporaryFolder("photos-process")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.handle(folder.file("stdout"))
        process.standardError = try Self.handle(folder.file("stderr"))
        // An event in the folder, for those who wait for output.
        let end = folder.file("ended").path
        process.terminationHandler = { _ in
            _ = FileManager.default.createFile(atPath: end, contents: nil)
        }
        try process.run()
    }

    package var identifier: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    /// The output so far.
    package var standardOutput: Data {
        (try? Data(contentsOf: folder.file("stdout"))) ?? Data()
    }

    /// Waits until a value is found in the output so far.
    ///
    /// - Returns: The value, or nil if the program ended without it or the time is up.
    package func output<Value>(
        seconds: Double = 60,
        _ find: (Data) throws -> Value?
    ) rethrows -> Value? {
        var found: Value?
        _ = try FileEvents.wait(in: folder.url, seconds: seconds) {
            let hasEnded = !process.isRunning
            found = try find(standardOutput)
            return found != nil || hasEnded
        }
        return found
    }

    /// Kills it at once, as a power cut would.
    package func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Asks it to stop, as Ctrl-C does.
    package func interrupt() { Foundation.kill(process.processIdentifier, SIGINT) }

    /// Waits for its end.
    package func wait() -> ProcessRunner.Output {
        process.waitUntilExit()
        let signalled = process.terminationReason == .uncaughtSignal
        return ProcessRunner.Output(
            status: process.terminationStatus + (signalled ? 128 : 0),
            standardOutput: standardOutput,
            standardError: (try? Data(contentsOf: folder.file("stderr"))) ?? Data()
        )
    }

    private static func handle(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}
