import Foundation

/// The commands that users would run instead.
enum Shell {
    /// Runs a shell script with arguments, and waits for its end.
    static func run(_ script: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "The peer failed: \(script)")
        }
    }
}
