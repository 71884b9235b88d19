import FoundationEssentials
import ObjectStorage
import StoreFixture
import Testing

/// Cases of uploads in parts and of what remains of uploads.
@Suite(.timeLimit(.minutes(3))) struct MultipartTests {
    private static let stores: [StoreUnderTest] = StoreUnderTest.available
        .filter { !$0.isDirectory }

    @Test(arguments: stores)
    func partsBecomeOneObject(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            let multipart = try #require(store.multipart)
            let key = try ObjectKey("blob/1")
            // Only the last part may be smaller than 5 MiB.
            let parts = [pattern(5 << 20, seed: 1), pattern(5 << 20, seed: 2), pattern(7, seed: 3)]
            let upload = try await multipart.beginUpload(of: key, timeout: limit)
            #expect(try await store.keys().isEmpty)
            var tags: [String] = []
            for (index, part) in parts.enumerated() {
                tags.append(
                    try await multipart.putPart(
                        index + 1,
                        of: upload,
                        from: ObjectSource(part),
                        timeout: limit
                    )
                )
            }
            #expect(try await second.keys().isEmpty)
            _ = try await multipart.complete(upload, parts: tags, timeout: limit)
            #expect(try await second.read("blob/1") == parts.flatMap(\.self))
            #expect(try await store.unfinishedUploads(below: .all, timeout: limit).isEmpty)
        }
    }

    @Test(arguments: stores)
    func abortedUploadsLeaveNothing(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            let multipart = try #require(store.multipart)
            let own = try ObjectPrefix("blob/1/")
            for key in ["blob/1/a", "blob/1/b", "blob/2/a"] {
                let upload = try await multipart.beginUpload(of: ObjectKey(key), timeout: limit)
                _ = try await multipart.putPart(
                    1,
                    of: upload,
                    from: ObjectSource(pattern(1000)),
                    timeout: limit
                )
            }
            let uploads = try await second.unfinishedUploads(below: own, timeout: limit)
            #expect(uploads.map(\.key?.text) == ["blob/1/a", "blob/1/b"])
            let past = Date(timeIntervalSinceNow: -86_400)
            let none = try await second.abortUploads(
                below: own,
                startedBefore: past,
                timeout: limit
            )
            #expect(none == 0)
            let future = Date(timeIntervalSinceNow: 86_400)
            let both = try await second.abortUploads(
                below: own,
                startedBefore: future,
                timeout: limit
            )
            #expect(both == 2)
            let left = try await store.unfinishedUploads(below: .all, timeout: limit)
            #expect(left.map(\.key?.text) == ["blob/2/a"])
            for upload in left + uploads { try await store.abort(upload, timeout: limit) }
            #expect(try await store.keys().isEmpty)
            #expect(try await store.unfinishedUploads(below: .all, timeout: limit).isEmpty)
        }
    }

    @Test(arguments: stores)
    func partsOfAbortedUploadsAreRefused(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let multipart = try #require(store.multipart)
            let key = try ObjectKey("blob/1")
            let upload = try await multipart.beginUpload(of: key, timeout: limit)
            let tag = try await multipart.putPart(
                1,
                of: upload,
                from: ObjectSource([1]),
                timeout: limit
            )
            try await store.abort(upload, timeout: limit)
            let error = await #expect(throws: ObjectStoreError.self) {
                try await multipart.complete(upload, parts: [tag], timeout: limit)
            }
            // Ceph's gateway answers with the status 500: “completion is already in progress”.
            #expect(error?.code == (kind.isGateway ? .serverFault : .notFound))
            #expect(try await store.keys().isEmpty)
        }
    }

    @Test(arguments: stores)
    func damagedPartsAreRefused(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            let multipart = try #require(store.multipart)
            let key = try ObjectKey("blob/1")
            let upload = try await multipart.beginUpload(of: key, timeout: limit)
            var source = ObjectSource([1, 2, 3])
            source.expectedMD5 = try MD5Digest(of: [3, 2, 1])
            let wrong = source
            let error = await #expect(throws: ObjectStoreError.self) {
                try await multipart.putPart(1, of: upload, from: wrong, timeout: limit)
            }
            #expect(error?.code == .damaged)
            try await store.abort(upload, timeout: limit)
        }
    }
}
