import DaemonCore
import Testing

/// When a daemon notices that its program was replaced.
@Suite(.timeLimit(.minutes(2))) struct TakeoverTests {
    /// A daemon with watch folders may have no clients.
    @Test func aReplacedProgramIsNoticedWithoutAClient() throws {
        let world = try DaemonWorld { configuration in
            configuration.isReplaced = { true }
            configuration.replacementInterval = .milliseconds(50)
        }
        #expect(world.waitForEnd())
    }
}
