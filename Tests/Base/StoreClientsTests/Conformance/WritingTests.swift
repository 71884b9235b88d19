import ObjectStorage
import StoreFixture
import Testing

/// Cases of PUT and DELETE that all stores pass.
@Suite(.timeLimit(.minutes(3))) struct WritingTests {
    @Test(.enabled(if: CephGateway.isAvailable, Comment(rawValue: CephGateway.explanation)))
    func gatewayRuns() async throws {
        let settings = try await CephGateway.shared.settings()
        #expect(settings.endpoint.hasPrefix("http"))
    }

    @Test(arguments: StoreUnderTest.available)
    func bytesComeBack(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            for size in [0, 1, 2, 255, 4096, 65_537, (1 << 20) + 3] {
                let bytes = pattern(size)
                try await store.write("blob/\(size)", bytes)
                #expect(try await store.read("blob/\(size)") == bytes, "\(size)")
                #expect(try await second.read("blob/\(size)") == bytes, "\(size)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func repeatedPutOfTheSameBytesSucceeds(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            try await store.write("log/1/1", [1, 2, 3])
            try await store.write("log/1/1", [1, 2, 3])
            try await second.write("log/1/1", [1, 2, 3])
            #expect(try await store.read("log/1/1") == [1, 2, 3])
            #expect(try await store.keys() == ["log/1/1"])
        }
    }

    @Test(arguments: StoreUnderTest.local)
    func otherBytesUnderOneKeyAreRefused(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.write("log/1/1", [1, 2, 3])
            for other in [[1, 2, 4], [1, 2], []] as [[UInt8]] {
                let error = await #expect(throws: ObjectStoreError.self) {
                    try await store.write("log/1/1", other)
                }
                #expect(error?.code == .alreadyExists)
                #expect(error?.hasUnknownOutcome == false)
            }
            #expect(try await store.read("log/1/1") == [1, 2, 3])
            #expect(try await store.unfinishedUploads(below: .all, timeout: limit).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func replacingReplaces(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            for number in 1...5 as ClosedRange<UInt8> {
                try await store.write("head/1", Array(repeating: number, count: 9), mode: .replace)
                #expect(try await second.read("head/1") == Array(repeating: number, count: 9))
            }
            #expect(try await store.keys() == ["head/1"])
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func deletedObjectsAreGone(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            try await store.write("blob/1/a", [1])
            try await store.write("blob/1/b", [2])
            try await store.remove("blob/1/a")
            let error = await #expect(throws: ObjectStoreError.self) {
                try await second.read("blob/1/a")
            }
            #expect(error?.code == .notFound)
            #expect(error?.description.contains("blob/1/a") == true)
            #expect(try await second.keys() == ["blob/1/b"])
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func deletingAbsentObjectsSucceeds(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            try await store.remove("blob/1/a")
            try await store.write("blob/1/a", [1])
            try await store.remove("blob/1/a")
            try await store.remove("blob/1/a")
            try await store.remove("nothing/at/all")
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func wrongChecksumIsRefused(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            var source = ObjectSource(pattern(100_000))
            source.expectedMD5 = try MD5Digest(of: pattern(100_000, seed: 2))
            let wrong = source
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.put(ObjectKey("blob/1"), from: wrong, mode: .create, timeout: limit)
            }
            #expect(error?.code == .damaged)
            #expect(error?.hasUnknownOutcome == false)
            #expect(try await store.keys().isEmpty)
            source.expectedMD5 = try MD5Digest(of: pattern(100_000))
            _ = try await store.put(
                ObjectKey("blob/1"),
                from: source,
                mode: .create,
                timeout: limit
            )
            #expect(try await store.read("blob/1") == pattern(100_000))
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func concurrentPutsOfOneKeyLeaveOneWhole(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            let versions = (1...6).map { pattern(300_000, seed: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, version) in versions.enumerated() {
                    let store = index % 2 == 0 ? store : second
                    group.addTask { try await store.write("head/1", version, mode: .replace) }
                }
                try await group.waitForAll()
            }
            let read = try await store.read("head/1")
            #expect(versions.contains(read))
            #expect(try await second.read("head/1") == read)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func concurrentPutsOfManyKeysAllStay(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    let store = number % 2 == 0 ? store : second
                    group.addTask {
                        try await store.write("blob/\(number)", pattern(1000 + number))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.keys().count == 24)
            for number in 0..<24 {
                #expect(try await second.read("blob/\(number)") == pattern(1000 + number))
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func longestKeysWork(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let part = String(repeating: "a", count: 200)
            let keys = [part, "\(part)x/\(part)", "0", "-", "a-b/c-d/0-1/e/f/g/h/i"]
            for key in keys { try await store.write(key, Array(key.utf8)) }
            #expect(try await store.keys() == keys.sorted())
            for key in keys { #expect(try await store.read(key) == Array(key.utf8)) }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func canceledPutReportsThat(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let task = Task { try await store.write("blob/1", pattern(1 << 20)) }
            task.cancel()
            let error = await #expect(throws: ObjectStoreError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            // A request that may be on its way cannot be taken back.
            try await store.remove("blob/2")
        }
    }
}
