import DaemonCore
import DaemonFakes
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The command that waits for a session, and a daemon that does not carry out its first request.
@Suite(.timeLimit(.minutes(3))) struct CloudSyncWaitTests {
    /// A daemon's answers, which a test prescribes.
    private final class Script: CloudAnswering {
        struct State {
            var status: CloudStatus
            /// The number of requests for sessions.
            var syncCount = 0
            var answerCount = 0
        }

        /// Returns the status of a reply, and changes the state afterward.
        typealias Step = @Sendable (CloudRequest.Action, inout State) -> CloudStatus

        /// The number of answers after which the command counts as one that waits forever.
        private static let patience = 20

        private let monitor: Monitor<State>
        private let step: Step

        init(_ activity: CloudStatus.State, sessions: Int, step: @escaping Step) {
            var status = CloudStatus(activity)
            status.sessions = sessions
            monitor = Monitor(State(status: status))
            self.step = step
        }

        var syncCount: Int { monitor.withLock(\.syncCount) }

        func answer(_ request: CloudRequest) throws(LibraryError) -> CloudReply {
            let (isPatient, status) = monitor.update { state in
                state.answerCount += 1
                if case .sync = request.action { state.syncCount += 1 }
                return (state.answerCount <= Self.patience, step(request.action, &state))
            }
            guard isPatient else {
                throw LibraryError(.internalError, "The command does not stop waiting.")
            }
            return CloudReply(status)
        }
    }

    /// Runs `photos cloud sync --once` with a daemon that answers by a script.
    private func sync(_ script: Script) throws -> ProcessRunner.Output {
        let home = try DaemonHome()
        try home.succeed("create", daemon: "0")
        let socket = home.runtimePath + "/script/socket"
        let engine = FakeEngine(journal: try ChangeJournal(path: nil))
        var configuration = DaemonConfiguration(opener: engine, softwareVersion: "1.0")
        configuration.idleTime = nil
        configuration.cloud = script
        let listener = try ListeningSocket(path: socket)
        let server = try #require(DaemonServer(configuration, listener: listener))
        let ended = Monitor(false)
        let isStarted = NamedThread.start("test-daemon") {
            server.run()
            ended.update { $0 = true }
        }
        try #require(isStarted)
        defer {
            server.stop(.shutdown)
            #expect(ended.wait(before: .now + .seconds(30)) { $0 ? true : nil } == true)
        }
        return try home.photos("cloud", "sync", "--once", "--json", daemon: socket)
    }

    /// The daemon is restarted after the request, and counts from 0 or has reached the same count.
    @Test(arguments: [(57, 0), (1, 1)])
    func theRequestIsRepeatedAfterARestart(_ before: Int, _ after: Int) throws {
        let script = Script(.idle, sessions: before) { action, state in
            let status = state.status
            if case .sync = action {
                state.status.sessions = state.syncCount == 1 ? after : after + 1
            }
            return status
        }
        let output = try sync(script)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(script.syncCount == 2)
    }

    @Test func aSessionInProgressMayEndWithItsDaemon() throws {
        let script = Script(.syncing, sessions: 57) { action, state in
            let status = state.status
            switch action {
            case .sync: state.status.sessions = 1
            case .wait where state.syncCount == 0:
                state.status = CloudStatus(.idle)
                return state.status
            default: break
            }
            return status
        }
        let output = try sync(script)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(script.syncCount == 1)
    }

    @Test func leavingEndsTheWait() throws {
        let script = Script(.idle, sessions: 3) { action, state in
            let status = state.status
            if case .sync = action { state.status = CloudStatus(.none) }
            return status
        }
        let output = try sync(script)
        #expect(output.status != 0 && output.errorText.contains("not part of a cloud library"))
        #expect(script.syncCount == 1)
    }
}
