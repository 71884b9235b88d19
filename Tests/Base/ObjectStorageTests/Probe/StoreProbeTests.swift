import ObjectStorage
import StoreFixture
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoreProbeTests {
    @Test(
        arguments: [
            (.staleListings, .listing, .backupOnly), (.staleReads, .reading, .backupOnly),
            (.ignoresChecksums, .checksum, .backupOnly), (.ignoresRanges, .range, .backupOnly),
            (.ignoresStartAfter, .startAfter, .unusable),
            (.keepsAbortedUploads, .multipartAbort, .full),
            (.mixesUploads, .concurrentWriting, .unusable),
        ] as [(StoreDefect, ProbeResult.Check, ProbeResult.Capability)]
    )
    func eachDefectIsFound(
        _ defect: StoreDefect,
        _ check: ProbeResult.Check,
        _ capability: ProbeResult.Capability
    ) async throws {
        let store = MemoryStore(defects: [defect])
        let probe = StoreProbe(store, second: store.secondClient(), identifier: "0")
        let result = try await probe.run()
        #expect(Set(result.failures.keys) == [check], "\(result.summary)")
        #expect(result.capability == capability)
        store.settle()
        #expect(try await store.keys().isEmpty)
    }

    @Test func summaryNamesTheConsequence() async throws {
        let store = MemoryStore(defects: [.staleListings])
        let probe = StoreProbe(store, second: store.secondClient(), identifier: "0")
        let summary = try await probe.run().summary
        #expect(summary.contains("backup: eviction and collection are refused"))
        #expect(summary.contains("does not list an object"))
    }

    @Test(arguments: [FakeRequest.Verb.get, .part])
    func aCanceledProbeLeavesNothing(_ verb: FakeRequest.Verb) async throws {
        let started = AsyncStream<Void>.makeStream()
        let store = MemoryStore { request in
            guard request.verb == verb else { return nil }
            started.continuation.yield()
            return .delay(.seconds(3_600))
        }
        let probe = StoreProbe(store, second: store.secondClient(), identifier: "0")
        let task = Task { try await probe.run() }
        for await _ in started.stream.prefix(1) {}
        task.cancel()
        let error = await #expect(throws: ObjectStoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try await store.keys("probe/").isEmpty)
        let uploads = try await store.unfinishedUploads(
            below: ObjectPrefix("probe/"),
            timeout: .seconds(10)
        )
        #expect(uploads.isEmpty)
    }

    @Test func unreachableStoresAreNotJudged() async throws {
        for number in 0..<30 {
            let store = MemoryStore { $0.number == number ? .accessDenied : nil }
            let probe = StoreProbe(store, second: store.secondClient(), identifier: "0")
            let error = await #expect(throws: ObjectStoreError.self, "\(number)") {
                _ = try await probe.run()
            }
            #expect(error?.code == .accessDenied)
        }
    }
}
