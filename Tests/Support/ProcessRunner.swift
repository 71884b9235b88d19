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
        var merged = ProcessInfo.processInfo.environment
        for (name, value) in environment { merged[name] = value }
        return try RunningProcess(path, arguments, environment: merged, in: folder)
    }
}
