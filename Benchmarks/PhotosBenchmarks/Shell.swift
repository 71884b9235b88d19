import Dispatch
import Foundation

/// The commands that users would run instead.
enum Shell {
    /// Runs a shell script with arguments, and waits for its end.
    static func run(_ script: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        try process.runSignalingEnd().wait()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "The peer failed: \(script)")
        }
    }
}

extension Process {
    /// Starts the process, and returns a semaphore that is signaled at its end.
    ///
    /// `waitUntilExit` notices the end up to 50 ms late, which would add to the measured time.
    func runSignalingEnd() throws -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        terminationHandler = { _ in end.signal() }
        try run()
        return end
    }
}
