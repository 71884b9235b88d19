import ObjectStorage
import PhotoModel
import RemoteLibrary
import Testing

@testable import CloudHost

/// Requests for sessions, which no operation in progress may lose.
@Suite(.timeLimit(.minutes(2))) struct SessionRequestTests {
    /// Runs a session before its request returns, so that it always ends before the reply.
    private static let atOnce: CloudService.ThreadStart = { _, body in
        body()
        return true
    }

    private let world: HostWorld

    init() async throws {
        world = try HostWorld(MemoryStore())
        _ = try await world.create()
    }

    private func status(_ service: CloudService) async throws -> CloudStatus {
        try await world.ask(service, .status).status
    }

    /// A client waits for the count of the reply to be exceeded.
    @Test func theReplyDoesNotCountItsOwnSession() async throws {
        let service = world.service(startThread: Self.atOnce)
        for count in 0..<2 {
            let reply = try await world.ask(service, .sync)
            #expect(reply.status.sessions == count && reply.status.state == .idle)
            let status = try await status(service)
            #expect(status.sessions == count + 1 && status.error == nil)
        }
        service.stop()
    }

    @Test func aSessionFollowsAnotherOperation() async throws {
        let service = world.service(startThread: Self.atOnce)
        let connection = service.connection(to: world.path)
        let before = try await HostWorld.blocking {
            try connection.exclusively { _ throws(LibraryError) in
                try connection.beginSession()
            }
        }
        #expect(before.sessions == 0)
        #expect(connection.monitor.withLock(\.status.sessions) == 1)
        #expect(connection.monitor.withLock { !$0.isBusy && !$0.isAskedAgain })
        service.stop()
    }

    @Test func noSessionFollowsLeaving() async throws {
        let service = world.service(startThread: Self.atOnce)
        _ = try await world.ask(service, .sync)
        let connection = service.connection(to: world.path)
        try await HostWorld.blocking {
            try connection.exclusively { _ throws(LibraryError) in
                try connection.beginSession()
                connection.monitor.update { $0.leave() }
            }
        }
        #expect(connection.monitor.withLock(\.status.sessions) == 1)
        #expect(connection.monitor.withLock { !$0.isBusy && !$0.isAskedAgain })
        service.stop()
    }

    @Test func theCountGoesOnAfterLeaving() async throws {
        let service = world.service(startThread: Self.atOnce)
        _ = try await world.ask(service, .sync)
        let left = try await world.ask(service, .leave(abandoning: false)).status
        #expect(left.state == .none && left.cloudLibrary == nil && left.sessions == 1)
        service.stop()
    }

    /// The end of an operation either takes a request over or lets the next one begin a session.
    @Test func aRequestIsNeverBetweenTwoOperations() {
        var state = CloudConnection.State()
        state.status = CloudStatus(.idle)
        let begins = [state.begin(), state.begin()]
        #expect(begins == [true, false] && state.isAskedAgain)
        let follows = state.end(mayContinue: true)
        #expect(follows && state.isBusy && !state.isAskedAgain)
        let beginsDuringIt = state.begin()
        #expect(!beginsDuringIt)
        let followsWhileStopping = state.end(mayContinue: false)
        #expect(!followsWhileStopping && !state.isBusy && !state.isAskedAgain)
        let beginsAfterward = state.begin()
        let ends = !state.end(mayContinue: true)
        #expect(beginsAfterward && ends && !state.isBusy)
    }

    @Test func aMissingThreadIsAFailedSession() async throws {
        let service = world.service(startThread: { _, _ in false })
        for count in 1...2 {
            let reply = try await world.ask(service, .sync)
            #expect(reply.status.sessions == count - 1)
            let status = try await status(service)
            #expect(status.sessions == count && status.state == .failed)
            #expect(status.error?.reason?.contains("threads") == true)
        }
        #expect(service.connection(to: world.path).hasFailed)
        service.stop()
    }
}
