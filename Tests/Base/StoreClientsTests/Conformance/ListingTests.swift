import ObjectStorage
import StoreFixture
import Testing

/// Cases of LIST that all stores pass.
@Suite(.timeLimit(.minutes(3))) struct ListingTests {
    private static let names = [
        "a", "a-1", "a0", "b/1", "b/1-2", "b/10", "b/2", "b-/1", "b0/1", "b/c/d", "b/c-d", "b/c0",
        "c/00", "c/0-", "c/0/0",
    ].filter { $0 != "c/0/0" }

    @Test(arguments: StoreUnderTest.available)
    func emptyStoreHasNoKeys(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            #expect(try await store.keys().isEmpty)
            #expect(try await store.keys("log/").isEmpty)
            let page = try await store.page(of: .all, after: nil, limit: 10, timeout: limit)
            #expect(page.isLast)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func keysAreSortedByBytes(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            for name in Self.names { try await store.write(name, Array(name.utf8)) }
            let sorted = Self.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(try await second.keys() == sorted)
            #expect(try await second.keys("b/") == sorted.filter { $0.hasPrefix("b/") })
            #expect(try await second.keys("b/c/") == ["b/c/d"])
            #expect(try await second.keys("b/1/").isEmpty)
            #expect(try await second.keys("d/").isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func listingBeginsAfterAnyKey(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            for name in Self.names { try await store.write(name, []) }
            let sorted = Self.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            // Also after keys that do not exist, before and between the others.
            for mark in sorted + ["-", "a-", "b", "b/", "b/0", "b/1-", "b/c", "b/z", "zz"]
            where !mark.hasSuffix("/") {
                let expected = sorted.filter { mark.utf8.lexicographicallyPrecedes($0.utf8) }
                #expect(try await store.keys(after: mark) == expected, "\(mark)")
                #expect(
                    try await store.keys("b/", after: mark)
                        == expected.filter { $0.hasPrefix("b/") },
                    "\(mark)"
                )
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func pagesJoinToTheWhole(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            for name in Self.names { try await store.write(name, []) }
            let sorted = Self.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for count in [1, 2, 3, 5, 14, 15, 100] {
                var keys: [String] = []
                var mark: ObjectKey?
                while true {
                    let page = try await store.page(
                        of: .all,
                        after: mark,
                        limit: count,
                        timeout: limit
                    )
                    #expect(page.objects.count <= count)
                    keys += page.objects.map(\.key.text)
                    guard !page.isLast else { break }
                    mark = try #require(page.objects.last).key
                }
                #expect(keys == sorted, "pages of \(count)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func sizesAreListed(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            for size in [0, 1, 70_000] { try await store.write("blob/\(size)", pattern(size)) }
            let listed = try await store.list(.all, timeout: limit)
            #expect(listed.map(\.size) == [0, 1, 70_000])
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func tooLongListingsFail(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, _ in
            for number in 0..<5 { try await store.write("blob/\(number)", []) }
            let error = await #expect(throws: ObjectStoreError.self) {
                try await store.list(.all, limit: 4, timeout: limit)
            }
            #expect(error?.code == .tooLarge)
            #expect(try await store.list(.all, limit: 5, timeout: limit).count == 5)
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func keysThatAppearWhileListingDoNotDisturb(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            for number in 10..<20 { try await store.write("log/\(number)", []) }
            let first = try await store.page(of: .all, after: nil, limit: 4, timeout: limit)
            try await second.write("log/05", [])
            try await second.write("log/99", [])
            try await second.remove("log/13")
            let rest = try await store.keys(after: try #require(first.objects.last).key.text)
            #expect(rest == (14..<20).map { "log/\($0)" } + ["log/99"])
        }
    }

    @Test(arguments: StoreUnderTest.available)
    func probeFindsNothingToCriticize(_ kind: StoreUnderTest) async throws {
        try await kind.run { store, second in
            let result = try await StoreProbe(store, second: second, identifier: "0123").run()
            #expect(result.failures.isEmpty, "\(result.summary)")
            #expect(result.capability == .full)
            #expect(result.inapplicable == (kind.isDirectory ? [.multipartAbort] : []))
            #expect(try await store.keys().isEmpty)
            #expect((result.serverDate == nil) == (kind.isDirectory))
        }
    }
}
