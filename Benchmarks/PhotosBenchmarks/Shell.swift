import Dispatch
import Foundation

/// The commands that users would run instead.
enum Shell {
    /// Runs a shell script with arguments, and waits for its end.
    ///
    /// `waitUntilExit` notices the end up to 50 ms late, which would add to the time of the peer.
    static func run(_ script: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        end.wait()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "The peer failed: \(script)")
        }
    }
}
