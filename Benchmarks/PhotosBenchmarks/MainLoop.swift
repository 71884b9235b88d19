import Foundation

/// Serves the main queue on the main thread of a command, as a program with a window does.
///
/// Only for the main thread.
enum MainLoop {
    /// Serves the queue until a condition holds, which is checked after each event.
    static func run(until condition: () -> Bool) {
        let timer = keepAlive()
        defer { timer.invalidate() }
        while !condition() {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
        }
    }

    /// Serves the queue for some seconds, and calls `frame` at a given rate with the seconds since
    /// the start.
    static func run(seconds: Double, framesPerSecond: Double, frame: (Double) -> Void) {
        let timer = keepAlive()
        defer { timer.invalidate() }
        let start = Date()
        var number = 0.0
        while true {
            let time = Date().timeIntervalSince(start)
            guard time < seconds else { return }
            frame(time)
            number = max(number + 1, (time * framesPerSecond).rounded(.down) + 1)
            let next = start.addingTimeInterval(number / framesPerSecond)
            while Date() < next { _ = RunLoop.main.run(mode: .default, before: next) }
        }
    }

    /// Returns a timer that keeps the loop running; a loop without any source returns at once.
    private static func keepAlive() -> Timer {
        let timer = Timer(timeInterval: 0.5, repeats: true) { _ in }
        RunLoop.main.add(timer, forMode: .default)
        return timer
    }
}
