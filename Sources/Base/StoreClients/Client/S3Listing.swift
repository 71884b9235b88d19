package import FoundationEssentials
package import ObjectStorage

/// The requests and answers of a bucket's listing, page by page.
///
/// The answers are validated. Each page begins after the last key of the previous one, so the
/// provider's continuation tokens are not needed.
package struct S3Listing: Sendable {
    /// The maximum size of an answer in bytes, enough for 1000 keys of the maximum length.
    static let answerLimit = 4 << 20

    /// The prefix of all keys of the store.
    private let storePrefix: String
    private let prefix: ObjectPrefix
    private let limit: Int

    /// Creates a listing of pages with at most `limit` keys.
    package init(storePrefix: String, prefix: ObjectPrefix, limit: Int) {
        self.storePrefix = storePrefix
        self.prefix = prefix
        self.limit = limit
    }

    private var fullPrefix: String { storePrefix + prefix.text }

    /// Returns the query parameters for the page that begins after the name `mark`.
    package func query(after mark: String?) -> [(name: String, value: String)] {
        var query = [
            (name: "list-type", value: "2"), (name: "prefix", value: fullPrefix),
            (name: "max-keys", value: String(limit)), (name: "encoding-type", value: "url"),
        ]
        if let mark { query.append((name: "start-after", value: mark)) }
        return query
    }

    /// Parses a page and also returns the last name in it, even if that name is not a key of this
    /// store.
    ///
    /// - Throws: ``ObjectStoreError``: `unexpectedAnswer` if names are outside of the prefix, not
    ///   sorted, or not after the mark, or if a page that is not the last one is empty.
    package func page(
        _ bytes: [UInt8],
        after mark: String?,
        date: Date?,
        in place: String
    ) throws(ObjectStoreError) -> (page: ObjectPage, last: String?) {
        func invalid(_ reason: String) -> ObjectStoreError {
            .unexpectedAnswer("list \(prefix)", in: place, reason)
        }
        guard let document = S3Document(bytes, records: "Contents"),
            document.root == "ListBucketResult"
        else { throw invalid("It is not a listing.") }
        let isEncoded = document.fields["EncodingType"] == "url"
        var page = ObjectPage(objects: [], isLast: true, serverDate: date)
        var last = mark
        guard document.records.count <= limit else { throw invalid("It has too many keys.") }
        for record in document.records {
            guard let text = record["Key"],
                let name = isEncoded ? TextEncoding.decodedPercent(text) : text,
                name.utf8.starts(with: fullPrefix.utf8)
            else { throw invalid("A key is outside of the prefix.") }
            guard last.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true else {
                throw invalid("A key does not follow the one before it.")
            }
            last = name
            guard let size = record["Size"].flatMap({ Int64($0) }), size >= 0 else {
                throw invalid("A size is invalid.")
            }
            if let key = ObjectKey(validating: String(name.dropFirst(storePrefix.count))) {
                page.objects.append(ListedObject(key: key, size: size))
            }
        }
        switch document.fields["IsTruncated"] {
        case "false": break
        case "true":
            guard !document.records.isEmpty else { throw invalid("It does not advance.") }
            page.isLast = false
        default: throw invalid("It does not say whether more keys follow.")
        }
        return (page, last)
    }
}
