import Foundation
import Testing

/// Waits until a condition holds, and reports the condition if it takes too long.
func wait(
    for what: Comment,
    seconds: Double = 20,
    sourceLocation: SourceLocation = #_sourceLocation,
    until condition: () -> Bool
) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        usleep(500)
    }
}
