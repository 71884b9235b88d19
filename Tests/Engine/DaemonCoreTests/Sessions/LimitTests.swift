import DaemonCore
import DaemonFakes
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A daemon refuses what exceeds a limit, and a client waits instead.
@Suite(.timeLimit(.minutes(2))) struct LimitTests {
    private let load = AssetLoadRequest(held: true)

    private func busyLimit(_ frame: Frame?) -> String? {
        guard let error = frame?.libraryError, error.code == .busy else { return nil }
        return error.reason?.split(separator: "“").last?.split(separator: "”").first.map(
            String.init
        )
    }

    @Test func callsInProgressAreLimited() throws {
        let world = try DaemonWorld()
        let client = try RawClient.greeted(world.folder.socket)
        for number in 1...UInt64(66) {
            try client.send(number, CallTable.shared.loadAssets, load)
        }
        for _ in 0..<2 { #expect(busyLimit(try client.message()) == "calls") }
        #expect(world.server.status.counters.busy == ["calls": 2])
        // Cancellations are counted apart.
        let cancel = CancelRequest(tickets: [])
        try client.send(100, CallTable.shared.cancel, cancel)
        #expect(try client.message()?.request == 100)
        world.engine.release()
        for _ in 0..<64 { #expect(try client.message()?.kind == .reply) }
        // A burst did not end the connection.
        try client.send(101, CallTable.shared.status, NoValue())
        #expect(try client.message()?.request == 101)
    }

    @Test func imageJobsAreLimited() throws {
        let world = try DaemonWorld()
        let client = try RawClient.greeted(world.folder.socket)
        let request = ImageRequest(
            assetUUID: "a",
            shape: PixelShape(),
            ticket: nil
        )
        for number in 1...UInt64(9) {
            try client.send(number, CallTable.shared.image, request)
        }
        #expect(busyLimit(try client.message()) == "imageJobs")
        world.engine.release()
        for _ in 0..<8 { #expect(try client.message()?.kind == .reply) }
    }

    @Test func descriptorsAreLimited() throws {
        let world = try DaemonWorld { $0.limits.descriptors = 100 }
        let first = try RawClient.greeted(world.folder.socket)
        let files = try (0..<64).map { try TestMemory.descriptor(UInt8($0)) }
        let session = ImportFilesRequest(session: 1, files: [])
        // The fake engine has no imports, so these fail when they run; the write pool is free.
        let second = try RawClient.greeted(world.folder.socket)
        let load = AssetLoadRequest(held: true)
        for number in 1...UInt64(2) { try second.send(number, CallTable.shared.loadAssets, load) }
        #expect(world.engine.waitUntil(held: 2))
        let hold = DuplicatesRequest(patience: 1)
        for number in 1...UInt64(2) { try first.send(number, CallTable.shared.duplicates, hold) }
        #expect(world.engine.waitUntil(held: 4))
        // Both bulk threads are held, so these wait with their files.
        try first.send(3, CallTable.shared.importFiles, session, descriptors: files)
        try first.send(4, CallTable.shared.importFiles, session, descriptors: files)
        var limit: String?
        while limit == nil, let message = try first.message() {
            if message.kind == .failure { limit = busyLimit(message) }
        }
        #expect(limit == "allDescriptors")
        world.engine.release()
        // The first import ended, and the other client's files count again.
        var kinds: [FrameKind] = []
        while kinds.count < 3, let message = try first.message() {
            if message.kind != .progress { kinds.append(message.kind) }
        }
        #expect(kinds.count { $0 == .reply } == 2 && kinds.contains(.failure))
        try first.send(5, CallTable.shared.fileDigests, NoValue(), descriptors: files)
        #expect(try first.message()?.kind == .reply)
    }

    @Test func pinsAreLimited() throws {
        let world = try DaemonWorld { $0.limits.pins = 6 }
        let libraries = try (0..<2).map { _ in try world.library() }
        let pins = try (0..<4).map { _ in try libraries[0].pin().pin }
        let error = #expect(throws: LibraryError.self) { try libraries[0].pin() }
        #expect(error?.code == .busy)
        for _ in 0..<2 { _ = try libraries[1].pin() }
        #expect(throws: LibraryError.self) { try libraries[1].pin() }
        // An unknown pin is ignored, and counts nothing.
        try libraries[1].unpin(UnpinRequest(pin: 99))
        #expect(throws: LibraryError.self) { try libraries[1].pin() }
        try libraries[0].unpin(UnpinRequest(pin: pins[0]))
        _ = try libraries[1].pin()
        libraries[0].close()
        #expect(world.engine.waitUntil(openSessions: 1))
        _ = try libraries[1].pin()
    }

    /// A pin counts as soon as it is requested.
    @Test func pinsInProgressAreLimited() throws {
        let world = try DaemonWorld { $0.limits.pinsPerConnection = 1 }
        let library = try world.library()
        world.engine.holdPins()
        let first = BackgroundCall { try library.pin().pin }
        #expect(world.engine.waitUntil(held: 1))
        let second = BackgroundCall { try library.pin().pin }
        // It is refused although the first has no answer yet.
        let error = #expect(throws: LibraryError.self) { try second.value() }
        #expect(error?.code == .busy)
        world.engine.release()
        #expect(try first.value() > 0)
    }

    @Test func predicatesAreLimited() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        var request = AssetFetchRequest(count: 1)
        request.predicate = .or([PredicateNode](repeating: .constant(true), count: 9_999))
        #expect(try library.fetch(request).ids.count == 1)
        request.predicate = .or([PredicateNode](repeating: .constant(true), count: 10_000))
        let error = #expect(throws: LibraryError.self) { try library.fetch(request) }
        #expect(error?.code == .busy)
    }

    /// The first fetches of a second are a burst, and the others wait.
    @Test func fetchesWaitWithoutFullAccess() throws {
        let world = try limitedWorld(fetchRate: 20)
        let start = SuspendingClock.now
        let library = try world.library()
        for count in 1...30 {
            #expect(try library.fetch(AssetFetchRequest(count: count)).ids.count == count)
        }
        #expect(SuspendingClock.now - start > .milliseconds(490))
        #expect(world.server.status.counters.busy.isEmpty)
        // Other calls are not counted, and neither are fetches once the user has permitted them.
        let slow = try limitedWorld(fetchRate: 1)
        let other = try slow.library()
        for _ in 0..<200 { _ = try other.status() }
        slow.engine.hasFullAccess = true
        for _ in 0..<200 { _ = try other.fetch(AssetFetchRequest(count: 1)) }
    }

    /// A client that does not wait for its fetches makes no more of them, and its other calls and
    /// cancellations pass them.
    @Test func waitingFetchesAreLimited() throws {
        let world = try limitedWorld(fetchRate: 1)
        let client = try RawClient.greeted(world.folder.socket)
        let start = SuspendingClock.now
        for number in 1...UInt64(90) {
            try client.send(number, CallTable.shared.fetch, AssetFetchRequest(count: 1))
        }
        var limit: String?
        while limit == nil, let message = try client.message() {
            if message.kind == .failure { limit = busyLimit(message) }
        }
        #expect(limit == "calls")
        // The oldest calls were admitted, and the last one of them is among those that wait.
        try client.writer.send(Frame(.cancel, request: 64))
        var isCancelled = false
        while !isCancelled, let message = try client.message() {
            guard message.request == 64 else { continue }
            isCancelled = message.libraryError?.code == .cancelled
            if !isCancelled { break }
        }
        #expect(isCancelled)
        let seconds = (SuspendingClock.now - start) / .seconds(1)
        #expect(Double(world.engine.performedCount("fetch")) <= seconds + 2)
    }

    private func limitedWorld(fetchRate: Int) throws -> DaemonWorld {
        let journal = try ChangeJournal(path: nil)
        let engine = FakeEngine(journal: journal, hasFullAccess: false)
        return try DaemonWorld(engine: engine) { $0.limits.fetchRate = fetchRate }
    }

    @Test func connectionsAreLimited() throws {
        let world = try DaemonWorld { configuration in
            configuration.limits.connections = 4
            configuration.limits.connectionsPerProgram = 2
        }
        let libraries = try (0..<2).map { _ in try world.library() }
        let failure = #expect(throws: ConnectionFailure.self) { try world.library() }
        guard case .refused(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .busy && error.reason?.contains("connectionsPerProgram") == true)
        #expect(world.waits { $0.counters.refusedConnections == 1 })
        let raw = try (0..<2).map { _ in try RawSocket(world.folder.socket) }
        // Those in the handshake count, too.
        #expect(world.waits { $0.counters.connections == 5 })
        let other = #expect(throws: ConnectionFailure.self) { try world.library() }
        guard case .refused(let error) = other else {
            Issue.record("\(String(describing: other))")
            return
        }
        #expect(error.code == .busy && error.reason?.contains("“connections”") == true)
        #expect(try libraries[1].status().version == 0)
        _ = raw
    }

    /// An honest client never exceeds a limit.
    @Test func manyThreadsOfAClientWait() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let request = ImageRequest(assetUUID: "a", shape: PixelShape())
        let images = (0..<20).map { _ in BackgroundCall { try library.image(request) == nil } }
        let load = load
        let loads = (0..<80).map { _ in BackgroundCall { try library.loadAssets(load).version } }
        #expect(world.waits { $0.clients.first?.calls == 64 })
        world.engine.release()
        for call in images { #expect(try call.value()) }
        for call in loads { #expect(try call.value() == 0) }
        #expect(world.server.status.counters.busy.isEmpty)
    }

    @Test func usageReturnsToZero() {
        var usage = CallUsage()
        let message = EncodedMessage(body: [1, 2, 3], descriptors: [])
        let costs = CallTable.all.map { CallCost($0, message) }
        let limits = costs.map { usage.admit($0) }
        #expect(limits.allSatisfy { $0 == nil })
        #expect(usage.count == costs.count)
        for cost in costs { usage.remove(cost) }
        #expect(usage.count == 0 && usage.descriptors == 0)
    }

    @Test func longRequestsAreLimitedTogether() {
        var limits = CallLimits()
        limits.requestBytes = 10
        var usage = CallUsage(limits)
        func cost(_ length: Int) -> CallCost {
            let body = [UInt8](repeating: 0, count: length)
            return CallCost(CallTable.shared.status, EncodedMessage(body: body, descriptors: []))
        }
        // Alone, it would never be admitted otherwise.
        let first = usage.admit(cost(20))
        let second = usage.admit(cost(1))
        usage.remove(cost(20))
        let third = usage.admit(cost(1))
        let fourth = usage.admit(cost(20))
        #expect(first == nil && second == .requestBytes)
        #expect(third == nil && fourth == .requestBytes)
    }
}
