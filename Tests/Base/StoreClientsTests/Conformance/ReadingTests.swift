import ObjectStorage
import StoreFixture
import Synchronization
import Testing

/// Cases of GET that all stores pass.
@Suite(.timeLimit(.minutes(3))) struct ReadingTests {
    private struct Refusal: Error {}

    @Test(arguments: StoreUnderTest.available)
    func rangesAreExact(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let bytes = pattern(10_000)
            try await store.write("blob/1", bytes)
            for range in [0..<1, 0..<10_000, 1..<2, 4095..<4097, 9999..<10_000, 17..<9000] {
                let part = range.lowerBound..<range.upperBound
                let wanted = Int64(part.lowerBound)..<Int64(part.upperBound)
                #expect(try await store.read("blob/1", wanted) == Array(bytes[part]), "\(range)")
            }
            let beyond = try await store.read("blob/1", 9990..<20_000)
            #expect(beyond == Array(bytes[9990...]))
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func rangesAfterTheEndAreErrors(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", [1, 2, 3])
            try await store.write("blob/0", [])
            for (key, range) in [
                ("blob/1", 3..<4), ("blob/1", 100..<200), ("blob/1", 2..<2), ("blob/0", 0..<1),
                ("blob/1", -1..<2),
            ] as [(String, Range<Int64>)] {
                let error = await #expect(throws: ObjectStoreError.self, "\(key) \(range)") {
                    try await store.read(key, range)
                }
                #expect(error?.code == .rangeNotSatisfiable, "\(key) \(range)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func extentNamesTheWholeSize(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", pattern(1000))
            let extent = try await store.get(
                ObjectKey("blob/1"),
                range: 10..<30,
                limit: 20,
                timeout: limit,
                into: { _ in }
            )
            #expect(extent.size == 1000)
            #expect(extent.delivered == 20)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func largerObjectsThanTheLimitAreNotDelivered(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", pattern(1000))
            for range in [nil, 0..<1000, 1..<1000] as [Range<Int64>?] {
                let error = await #expect(throws: ObjectStoreError.self) {
                    _ = try await store.get(
                        ObjectKey("blob/1"),
                        range: range,
                        limit: 998,
                        timeout: limit,
                        into: { _ in Issue.record("Bytes were delivered.") }
                    )
                }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func missingObjectsAreNotFound(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("a/b", [1])
            for key in ["a", "a/c", "b", "b/c/d"] {
                let error = await #expect(throws: ObjectStoreError.self) {
                    try await store.read(key)
                }
                #expect(error?.code == .notFound, "\(key)")
            }
        }
    }

    /// The bytes of a directory's objects can also be read from their files.
    @Test(arguments: StoreUnderTest.available)
    func openedFilesHaveTheBytes(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let bytes = pattern(100_000)
            try await store.write("blob/1", bytes)
            let key = try ObjectKey("blob/1")
            let opened = try await store.file(of: key, limit: 100_000, timeout: limit)
            guard kind.isDirectory else {
                #expect(opened == nil)
                return
            }
            let file = try #require(opened)
            try file.check()
            #expect(file.size == 100_000)
            #expect(try file.read(17..<99_000) == Array(bytes[17..<99_000]))
            #expect(try file.read(99_999..<200_000) == [bytes[99_999]])
            #expect(try file.read(100_000..<100_001) == [])
            for (name, limitOfSize, code) in [
                ("blob/1", 99_999, .tooLarge), ("blob/2", 100_000, .notFound),
            ] as [(String, Int64, ObjectStoreError.Code)] {
                let error = await #expect(throws: ObjectStoreError.self) {
                    _ = try await store.file(
                        of: ObjectKey(name),
                        limit: limitOfSize,
                        timeout: limit
                    )
                }
                #expect(error?.code == code, "\(name)")
            }
            // It stays readable without its name.
            try await store.remove("blob/1")
            #expect(try file.read(0..<3) == Array(bytes[0..<3]))
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func failingReceiverEndsTheRead(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", pattern(2 << 20))
            let pieces = Mutex(0)
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await store.get(
                    ObjectKey("blob/1"),
                    range: nil,
                    limit: .max,
                    timeout: limit
                ) { _ in
                    pieces.withLock { $0 += 1 }
                    throw Refusal()
                }
            }
            #expect(error?.code == .receiverFailed)
            #expect(error?.cause is Refusal)
            #expect(pieces.withLock { $0 } == 1)
            #expect(try await store.read("blob/1").count == 2 << 20)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func slowReceiverGetsAllBytesInOrder(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let bytes = pattern(3 << 20)
            try await store.write("blob/1", bytes)
            let received = Mutex<[UInt8]>([])
            _ = try await store.get(
                ObjectKey("blob/1"),
                range: nil,
                limit: .max,
                timeout: limit
            ) { piece in
                await Task.yield()
                received.withLock { $0 += piece }
            }
            #expect(received.withLock { $0 } == bytes)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func timeLimitEndsTheRead(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", pattern(1 << 20))
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await store.get(
                    ObjectKey("blob/1"),
                    range: nil,
                    limit: .max,
                    timeout: .milliseconds(300)
                ) { _ in
                    // Suspends until the time limit cancels the receiver.
                    try await Task.sleep(for: .seconds(3600))
                }
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func canceledReadReportsThat(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("blob/1", pattern(1 << 20))
            let started = AsyncStream<Void>.makeStream()
            let task = Task {
                _ = try await store.get(
                    ObjectKey("blob/1"),
                    range: nil,
                    limit: .max,
                    timeout: limit
                ) { _ in
                    started.continuation.yield()
                    try await Task.sleep(for: .seconds(3600))
                }
            }
            for await _ in started.stream.prefix(1) {}
            task.cancel()
            let error = await #expect(throws: ObjectStoreError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func missingMarkerMeansAbsentStore(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let marker = try ObjectKey("config/1")
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.marker(marker, limit: 100, timeout: limit)
            }
            #expect(error?.code == .storeAbsent)
            try await store.write("config/1", [7])
            #expect(try await store.marker(marker, limit: 100, timeout: limit) == [7])
        }
    }
}
