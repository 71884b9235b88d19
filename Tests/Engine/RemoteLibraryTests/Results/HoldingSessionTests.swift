import BinaryCoding
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization
import TestSupport
import Testing

/// A client names the large results that it has received, and the other side holds them.
@Suite(.timeLimit(.minutes(1))) struct HoldingSessionTests {
    private let base = ChangingLibrary(count: 20_000)
    private let session: HoldingSession

    init() { session = HoldingSession(base) }

    private func request(_ ids: RowIDBuffer, since version: Int64) -> AdvanceRequest {
        AdvanceRequest(
            query: .assets(AssetFetchRequest()),
            ids: ids,
            snapshot: LibrarySnapshot(version: version)
        )
    }

    @Test func deliveredResultsCanBeNamed() throws {
        let fetched = try session.fetch(AssetFetchRequest())
        base.insert(99_999, at: 7)
        let reply = try session.advanceHeld(HeldAdvanceRequest(request(fetched.ids, since: 1)))
        guard case .patch(let snapshot, let patch, let steps) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(snapshot.version == 2)
        #expect(steps == ListSteps(inserted: [7]))
        let next = try #require(patch.applied(to: fetched.ids))
        #expect(next == base.ids)

        // The new result can be named, and also the former one.
        base.insert(88_888, at: 0)
        for (ids, version) in [(next, Int64(2)), (fetched.ids, 1)] {
            let reply = try session.advanceHeld(HeldAdvanceRequest(request(ids, since: version)))
            guard case .patch(_, let patch, _) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(patch.applied(to: ids) == base.ids)
        }
    }

    @Test func otherResultsAreUnknown() throws {
        let fetched = try session.fetch(AssetFetchRequest())
        var other = fetched.ids
        other.ids[3] = -1
        let reply = try session.advanceHeld(HeldAdvanceRequest(request(other, since: 1)))
        #expect(reply == .unknown)
        // Another session of the same client has delivered nothing.
        let second = try session.openSession(SessionRequest())
        let elsewhere = try second.advanceHeld(HeldAdvanceRequest(request(fetched.ids, since: 1)))
        #expect(elsewhere == .unknown)
    }

    @Test func olderResultsAreForgotten() throws {
        // Four of 10 MB are more than a session may hold.
        let large = ChangingLibrary(count: 1_250_000)
        let session = HoldingSession(large)
        var results: [RowIDBuffer] = []
        for turn in 0..<4 {
            results.append(try session.fetch(AssetFetchRequest()).ids)
            large.insert(Int64(2_000_000 + turn), at: turn)
        }
        let known = try results.map { ids in
            try session.advanceHeld(HeldAdvanceRequest(request(ids, since: 4))) != .unknown
        }
        #expect(known.last == true)
        #expect(known.first == false)
    }

    /// What crosses the connection for one change depends on the change only.
    @Test func oneChangeCrossesInFewBytes() throws {
        let coder = CountingCoder()
        let library = LoopbackLibrary(base, coder: coder)
        let fetched = try library.fetch(AssetFetchRequest())
        #expect(coder.bytes > 160_000)
        base.insert(99_999, at: 12_345)
        coder.reset()
        let reply = try library.advance(request(fetched.ids, since: 1))
        #expect(reply.outcome == .steps(base.ids, ListSteps(inserted: [12_345])))
        #expect(coder.bytes < 1_024)
        #expect(base.advances == 1)

        // Whoever has a result from elsewhere sends it, once.
        let other = RowIDBuffer(Array(base.ids.reversed()))
        coder.reset()
        #expect(try library.advance(request(other, since: 2)).outcome == .unchanged)
        #expect(coder.bytes > 160_000)
        coder.reset()
        #expect(try library.advance(request(other, since: 2)).outcome == .unchanged)
        #expect(coder.bytes < 1_024)
    }
}

/// A library with a list that grows.
private final class ChangingLibrary: CallingLibrary {
    private struct State {
        var ids: RowIDBuffer
        var version: Int64 = 1
        var insertions: [(version: Int64, place: Int)] = []
        var advances = 0
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(ids: RowIDBuffer((0..<count).map(Int64.init)))) }

    var ids: RowIDBuffer { state.withLock(\.ids) }
    var advances: Int { state.withLock(\.advances) }

    func insert(_ id: Int64, at place: Int) {
        state.withLock { state in
            state.ids.ids.insert(id, at: place)
            state.version += 1
            state.insertions.append((state.version, place))
        }
    }

    func close() {}

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService { self }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        throw LibraryError(.internalError, "This library only fetches.")
    }

    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        state.withLock { state in
            AssetFetchReply(snapshot: LibrarySnapshot(version: state.version), ids: state.ids)
        }
    }

    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        state.withLock { state in
            state.advances += 1
            let snapshot = LibrarySnapshot(version: state.version)
            guard request.snapshot.version < state.version else {
                return AdvanceReply(snapshot: snapshot, outcome: .unchanged)
            }
            // Each insertion moves the later ones of the versions before.
            var places: [Int] = []
            for (version, place) in state.insertions where version > request.snapshot.version {
                places = places.map { $0 >= place ? $0 + 1 : $0 } + [place]
            }
            let steps = ListSteps(inserted: places.sorted())
            return AdvanceReply(snapshot: snapshot, outcome: .steps(state.ids, steps))
        }
    }
}

/// Counts what is encoded.
private final class CountingCoder: WireCoder {
    private let base = BinaryCoder()
    private let count = Mutex(0)

    var bytes: Int { count.withLock(\.self) }

    func reset() { count.withLock { $0 = 0 } }

    func encode(_ value: some Encodable) throws -> [UInt8] {
        let body = try base.encode(value)
        count.withLock { $0 += body.count }
        return body
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: UnsafeRawBufferPointer
    ) throws -> Value {
        try base.decode(type, from: body)
    }
}
