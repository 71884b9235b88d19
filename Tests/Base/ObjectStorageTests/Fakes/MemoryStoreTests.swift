import ObjectStorage
import StoreFixture
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct MemoryStoreTests {
    /// Creates a store with one fault in its request with a number.
    private func store(_ fault: StoreFault, at number: Int = 0) -> MemoryStore {
        MemoryStore { $0.number == number ? fault : nil }
    }

    private func failure(
        of store: MemoryStore,
        _ body: (MemoryStore) async throws -> Void
    ) async throws -> ObjectStoreError {
        try #require(
            await #expect(throws: ObjectStoreError.self) { try await body(store) }
        )
    }

    @Test func lostRequestsHaveNoEffect() async throws {
        let store = store(.lostRequest)
        let error = try await failure(of: store) { try await $0.write("a", [1]) }
        #expect(error.code == .unreachable)
        #expect(error.hasUnknownOutcome)
        store.settle()
        #expect(try await store.keys().isEmpty)
    }

    @Test func lostAnswersHaveAnEffect() async throws {
        let store = store(.lostAnswer)
        #expect(try await failure(of: store) { try await $0.write("a", [1]) }.hasUnknownOutcome)
        #expect(try await store.read("a") == [1])
    }

    @Test func lateChangesComeWhenTheTestSays() async throws {
        let store = store(.lateEffect)
        #expect(try await failure(of: store) { try await $0.write("a", [1]) }.hasUnknownOutcome)
        #expect(try await store.keys().isEmpty)
        store.settle()
        #expect(try await store.read("a") == [1])
    }

    @Test func lateDeletionsComeAfterLaterPuts() async throws {
        let store = store(.lateEffect, at: 1)
        try await store.write("a", [1])
        #expect(try await failure(of: store) { try await $0.remove("a") }.hasUnknownOutcome)
        #expect(try await store.keys() == ["a"])
        store.settle()
        #expect(try await store.keys().isEmpty)
    }

    @Test func doubledChangesHappenAgain() async throws {
        let store = store(.doubled, at: 1)
        try await store.write("a", [1])
        try await store.remove("a")
        try await store.write("a", [1])
        store.settle()
        #expect(try await store.keys().isEmpty)
    }

    @Test func cutReadsDeliverABeginning() async throws {
        let store = store(.cut(after: 5), at: 1)
        try await store.write("a", pattern(10))
        let received = Mutex<[UInt8]>([])
        let error = try await failure(of: store) { store in
            _ = try await store.get(
                ObjectKey("a"),
                range: nil,
                limit: 100,
                timeout: limit,
                into: { piece in received.withLock { $0 += piece } }
            )
        }
        #expect(error.code == .unreachable)
        #expect(!error.hasUnknownOutcome)
        #expect(received.withLock { $0 } == Array(pattern(10).prefix(5)))
    }

    @Test func stalledReadsContinueWhenTheTestSays() async throws {
        let gate = StoreGate()
        let store = store(.stalled(after: 4, gate), at: 1)
        try await store.write("a", pattern(10))
        let pieces = Mutex<[[UInt8]]>([])
        let extent = try await store.get(
            ObjectKey("a"),
            range: 1..<9,
            limit: 100,
            timeout: limit,
            into: { piece in
                pieces.withLock { $0.append(piece) }
                gate.open()
            }
        )
        #expect(extent.delivered == 8)
        #expect(pieces.withLock { $0 } == [Array(pattern(10)[1..<5]), Array(pattern(10)[5..<9])])
    }

    @Test func requestsHaveTheirRanges() async throws {
        let ranges = Mutex<[Range<Int64>?]>([])
        let store = MemoryStore { request in
            ranges.withLock { $0.append(request.range) }
            return nil
        }
        try await store.write("a", pattern(10))
        for range in [nil, 2..<5] as [Range<Int64>?] {
            _ = try await store.bytes(of: ObjectKey("a"), range: range, limit: 10, timeout: limit)
        }
        #expect(ranges.withLock { $0 } == [nil, nil, 2..<5])
    }

    @Test func alteredBytesAreDeliveredOrRefused() async throws {
        let reading = store(.altered(at: 1), at: 1)
        try await reading.write("a", [1, 2, 3])
        #expect(try await reading.read("a") == [1, 3, 3])
        #expect(try await reading.read("a") == [1, 2, 3])
        let writing = store(.altered(at: 1))
        #expect(
            try await failure(of: writing) { try await $0.write("a", [1, 2]) }.code == .damaged
        )
        #expect(try await writing.keys().isEmpty)
    }

    @Test(
        arguments: [
            (.throttled(retryAfter: .seconds(3)), .throttled), (.full, .full),
            (.serverFault, .serverFault), (.accessDenied, .accessDenied),
        ] as [(StoreFault, ObjectStoreError.Code)]
    )
    func refusalsHaveNoEffect(_ fault: StoreFault, _ code: ObjectStoreError.Code) async throws {
        let store = store(fault)
        let error = try await failure(of: store) { try await $0.write("a", [1]) }
        #expect(error.code == code)
        #expect(!error.hasUnknownOutcome)
        #expect(error.retryAfter == (code == .throttled ? .seconds(3) : nil))
        #expect(try await store.keys().isEmpty)
    }

    @Test func capacityIsEnforced() async throws {
        let store = MemoryStore(capacity: 10)
        try await store.write("a", pattern(6))
        #expect(try await failure(of: store) { try await $0.write("b", pattern(5)) }.code == .full)
        try await store.remove("a")
        try await store.write("b", pattern(5))
        #expect(store.requestCount == 4)
    }

    @Test func delaysCountAgainstTheTimeLimit() async throws {
        let clock = PatientClock()
        let store = MemoryStore(clock: clock.clocks()) { _ in .delay(.seconds(600)) }
        let error = try await failure(of: store) { store in
            _ = try await store.delete(ObjectKey("a"), timeout: .seconds(100))
        }
        #expect(error.code == .timedOut)
        #expect(error.hasUnknownOutcome)
    }
}
