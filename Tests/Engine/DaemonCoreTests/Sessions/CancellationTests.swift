import DaemonCore
import DaemonFakes
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// Calls are canceled before they arrive, while they wait and while they run.
@Suite(.timeLimit(.minutes(2))) struct CancellationTests {
    private let load = AssetLoadRequest(held: true)

    private func held(
        _ library: RemoteLibrary,
        _ cancellation: CallCancellation
    ) -> BackgroundCall<AssetLoadReply> {
        let load = load
        return BackgroundCall {
            try CallContext(cancellation: cancellation).perform { try library.loadAssets(load) }
        }
    }

    @Test func runningCallIsCanceled() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let cancellation = CallCancellation()
        let call = held(library, cancellation)
        #expect(world.engine.waitUntil(held: 1))
        cancellation.cancel()
        #expect(try call.error()?.code == .cancelled)
        #expect(world.server.status.counters.cancelledCalls == 1)
        // The connection is intact.
        #expect(try library.status().version == 0)
    }

    @Test func waitingCallIsCanceledWithoutRunning() throws {
        let world = try DaemonWorld { $0.limits.shortThreads = 1 }
        let library = try world.library()
        let (first, second) = (CallCancellation(), CallCancellation())
        let running = held(library, first)
        #expect(world.engine.waitUntil(held: 1))
        let waiting = held(library, second)
        #expect(world.waits { $0.clients.first?.calls == 2 })
        second.cancel()
        first.cancel()
        #expect(try waiting.error()?.code == .cancelled)
        #expect(try running.error()?.code == .cancelled)
        #expect(world.engine.performedCount("loadAssets") == 1)
    }

    @Test func cancellationMayPrecedeItsCall() throws {
        let world = try DaemonWorld()
        let client = try RawClient.greeted(world.folder.socket)
        try client.writer.send(Frame(.cancel, request: 7))
        // Those of ended and of unknown calls are ignored.
        for number in 100..<UInt64(1_200) {
            try client.writer.send(Frame(.cancel, request: number))
        }
        try client.send(1_199, CallTable.shared.loadAssets, load)
        #expect(try client.message()?.libraryError?.code == .cancelled)
        #expect(world.engine.performedCount("loadAssets") == 0)
        // The oldest were forgotten.
        try client.send(7, CallTable.shared.status, NoValue())
        #expect(try client.message()?.kind == .reply)
    }

    @Test func canceledContextSendsNothing() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let cancellation = CallCancellation()
        cancellation.cancel()
        #expect(try held(library, cancellation).error()?.code == .cancelled)
        #expect(world.server.status.counters.calls == 0)
    }

    /// A cancellation by a call of the seam does not wait for the pools.
    @Test func cancelingCallPassesOthers() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let cancellations = (0..<40).map { _ in CallCancellation() }
        let calls = cancellations.map { held(library, $0) }
        #expect(world.engine.waitUntil(held: 4))
        try library.cancel(CancelRequest(tickets: [CallTicket()]))
        #expect(world.engine.performedCount("cancel") == 1)
        for cancellation in cancellations { cancellation.cancel() }
        for call in calls { #expect(try call.error()?.code == .cancelled) }
    }

    @Test func deadClientsCallsAreCanceled() throws {
        let world = try DaemonWorld()
        do {
            let client = try RawClient.greeted(world.folder.socket)
            for number in 1...UInt64(20) {
                try client.send(number, CallTable.shared.loadAssets, load)
            }
            #expect(world.engine.waitUntil(held: 4))
        }
        #expect(world.engine.waitUntil(held: 0, openSessions: 0))
        #expect(world.engine.performedCount("loadAssets") == 4)
        #expect(try world.library().status().version == 0)
    }

    @Test func leavingClientsCallsFinish() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let call = held(library, CallCancellation())
        #expect(world.engine.waitUntil(held: 1))
        let closing = BackgroundCall { library.close() }
        world.engine.release()
        #expect(try call.value().assets.isEmpty)
        try closing.value()
        #expect(world.engine.waitUntil(openSessions: 0))
    }
}
