import ObjectStorage
import StoreClients
import StoreFixture
import Testing

@Suite(.timeLimit(.minutes(1))) struct S3ListingTests {
    private func page(
        _ contents: String,
        truncated: String = "false",
        after mark: String? = nil,
        encoded: Bool = true
    ) throws(ObjectStoreError) -> (page: ObjectPage, last: String?) {
        let listing = try S3Listing(
            storePrefix: "my.photos/",
            prefix: ObjectPrefix("log/"),
            limit: 3
        )
        let text =
            "<ListBucketResult><IsTruncated>\(truncated)</IsTruncated>"
            + (encoded ? "<EncodingType>url</EncodingType>" : "") + contents
            + "</ListBucketResult>"
        return try listing.page(Array(text.utf8), after: mark, date: nil, in: "test")
    }

    private func object(_ key: String, size: String = "1") -> String {
        "<Contents><Key>\(key)</Key><Size>\(size)</Size></Contents>"
    }

    @Test func keysLoseTheStoresPrefix() throws {
        let (page, last) = try page(object("my.photos/log/1") + object("my.photos/log/2%2F3"))
        #expect(page.objects.map(\.key.text) == ["log/1", "log/2/3"])
        #expect(page.isLast)
        #expect(last == "my.photos/log/2/3")
    }

    @Test func namesOfOthersArePassedOver() throws {
        let (page, last) = try page(
            object("my.photos/log/1") + object("my.photos/log/A+b%C3%A4"),
            truncated: "true"
        )
        #expect(page.objects.map(\.key.text) == ["log/1"])
        #expect(!page.isLast)
        #expect(last == "my.photos/log/A bä")
    }

    @Test func namesWithoutEncodingAreTakenAsTheyAre() throws {
        let (_, last) = try page(object("my.photos/log/1%2B+"), encoded: false)
        #expect(last == "my.photos/log/1%2B+")
    }

    @Test(arguments: [
        // Outside of the prefix, or of the store.
        "<Contents><Key>my.photos/blob/1</Key><Size>1</Size></Contents>",
        "<Contents><Key>log/1</Key><Size>1</Size></Contents>",
        "<Contents><Key>my.photos/log/%2</Key><Size>1</Size></Contents>",
        "<Contents><Key>my.photos/log/%FF</Key><Size>1</Size></Contents>",
        "<Contents><Size>1</Size></Contents>",
        "<Contents><Key>my.photos/log/1</Key></Contents>",
        "<Contents><Key>my.photos/log/1</Key><Size>-1</Size></Contents>",
        "<Contents><Key>my.photos/log/1</Key><Size>99999999999999999999</Size></Contents>",
        "<Contents><Key>my.photos/log/1</Key><Size></Size></Contents>",
    ])
    func invalidEntriesAreErrors(_ contents: String) {
        let error = #expect(throws: ObjectStoreError.self) { try page(contents) }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test func unsortedOrRepeatedKeysAreErrors() {
        for keys in [["2", "1"], ["1", "1"], ["1", "2", "1"], ["a", "B"]] {
            let contents = keys.map { object("my.photos/log/\($0)") }.joined()
            #expect(throws: ObjectStoreError.self) { try page(contents) }
        }
    }

    @Test func pagesHaveToAdvance() throws {
        for key in ["my.photos/log/1", "my.photos/log/0"] {
            #expect(throws: ObjectStoreError.self) {
                try page(object(key), after: "my.photos/log/1")
            }
        }
        #expect(throws: ObjectStoreError.self) { try page("", truncated: "true") }
        #expect(throws: ObjectStoreError.self) { try page("", truncated: "perhaps") }
        let many = (1...4).map { object("my.photos/log/\($0)") }.joined()
        #expect(throws: ObjectStoreError.self) { try page(many) }
    }

    @Test func otherDocumentsAreErrors() throws {
        let listing = S3Listing(storePrefix: "", prefix: .all, limit: 1)
        for text in ["", "<html/>", "<ListBucketResult/>", "{}"] {
            #expect(throws: ObjectStoreError.self) {
                try listing.page(Array(text.utf8), after: nil, date: nil, in: "test")
            }
        }
    }

    @Test func uploadListingsHaveToAdvance() throws {
        func answer(_ key: String, _ upload: String) -> [UInt8] {
            Array(
                """
                <ListMultipartUploadsResult><IsTruncated>true</IsTruncated>\
                <NextKeyMarker>\(key)</NextKeyMarker>\
                <NextUploadIdMarker>\(upload)</NextUploadIdMarker>\
                <Upload><Key>\(key)</Key><UploadId>\(upload)</UploadId>\
                <Initiated>2026-11-24T10:00:00.000Z</Initiated></Upload>\
                </ListMultipartUploadsResult>
                """.utf8
            )
        }
        var listing = S3UploadListing(storePrefix: "", prefix: .all)
        try listing.add(answer("b", "1"), in: "test")
        try listing.add(answer("b", "2"), in: "test")
        try listing.add(answer("c", "1"), in: "test")
        #expect(listing.uploads.map(\.identifier) == ["1", "2", "1"])
        #expect(!listing.isComplete)
        #expect(listing.query.contains { $0 == ("key-marker", "c") })
        for (key, upload) in [("c", "1"), ("b", "3")] {
            var copy = listing
            #expect(throws: ObjectStoreError.self) { try copy.add(answer(key, upload), in: "test") }
        }
        for number in 0..<1000 where !listing.isComplete {
            try listing.add(answer("d", "\(number)"), in: "test")
        }
        #expect(listing.isComplete)
    }

    @Test(
        arguments: [
            ("bytes 0-0/1", 0..<1, 1), ("bytes 2-5/10", 2..<6, 10), ("bytes 0-9/10", 0..<10, 10),
        ] as [(String, Range<Int64>, Int64)]
    )
    func readsContentRanges(_ text: String, _ range: Range<Int64>, _ size: Int64) throws {
        let part = try #require(ContentRange(text))
        #expect(part.range == range)
        #expect(part.size == size)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 0-9/*", "bytes 5-2/10", "bytes 0-10/10", "bytes -1-2/10",
        "bytes 0-1-2/10", "octets 0-1/2", "bytes 0-1/2/3", "bytes 0-99999999999999999999/2",
        "bytes +0-1/2", "bytes  0-1/2",
    ])
    func otherTextIsNoContentRange(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
