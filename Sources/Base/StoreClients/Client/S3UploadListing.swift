package import ObjectStorage

/// The requests and answers of a listing of unfinished uploads, page by page.
package struct S3UploadListing {
    /// The maximum number of pages to read, each with up to 1000 uploads.
    private static let maximumPages = 20

    private let storePrefix: String
    private let prefix: ObjectPrefix
    private var keyMark: String?
    private var uploadMark: String?
    private var pages = 0

    package private(set) var uploads: [UnfinishedUpload] = []
    package private(set) var isComplete = false

    package init(storePrefix: String, prefix: ObjectPrefix) {
        self.storePrefix = storePrefix
        self.prefix = prefix
    }

    /// The query parameters for the next page.
    package var query: [(name: String, value: String)] {
        var query = [
            (name: "uploads", value: ""), (name: "prefix", value: storePrefix + prefix.text),
            (name: "max-uploads", value: "1000"),
        ]
        if let keyMark { query.append((name: "key-marker", value: keyMark)) }
        if let uploadMark { query.append((name: "upload-id-marker", value: uploadMark)) }
        return query
    }

    /// Adds the uploads in an answer, except those whose keys are not valid in the store.
    ///
    /// - Throws: ``ObjectStoreError``: `unexpectedAnswer` if a page does not advance.
    package mutating func add(_ bytes: [UInt8], in place: String) throws(ObjectStoreError) {
        let action = "list the unfinished uploads of \(prefix)"
        guard let document = S3Document(bytes, records: "Upload"),
            document.root == "ListMultipartUploadsResult"
        else { throw .unexpectedAnswer(action, in: place, "It is not such a listing.") }
        pages += 1
        for record in document.records {
            guard let name = record["Key"],
                name.utf8.starts(with: (storePrefix + prefix.text).utf8),
                let key = ObjectKey(validating: String(name.dropFirst(storePrefix.count))),
                let identifier = record["UploadId"], isIdentifier(identifier)
            else { continue }
            uploads.append(
                UnfinishedUpload(
                    identifier: identifier,
                    key: key,
                    started: record["Initiated"].flatMap(StoreDate.fromListing)
                )
            )
        }
        guard document.fields["IsTruncated"] == "true", pages < Self.maximumPages else {
            isComplete = true
            return
        }
        guard let nextKey = document.fields["NextKeyMarker"], nextKey.utf8.count <= 1024,
            let nextUpload = document.fields["NextUploadIdMarker"], isIdentifier(nextUpload),
            advances(to: nextKey, nextUpload)
        else { throw .unexpectedAnswer(action, in: place, "It does not advance.") }
        (keyMark, uploadMark) = (nextKey, nextUpload)
    }

    /// Returns whether the next page begins at a later key, or at another upload of the same key.
    ///
    /// Keys ascend in byte order. Uploads of one key are sorted by time, which their identifiers do
    /// not show, so any other identifier is accepted.
    private func advances(to key: String, _ upload: String) -> Bool {
        guard let keyMark else { return true }
        return keyMark.utf8.lexicographicallyPrecedes(key.utf8)
            || keyMark == key && uploadMark != upload
    }
}
