package import FoundationEssentials
internal import Synchronization

extension ObjectStore {
    /// Reads a small object into memory.
    package func bytes(
        of key: ObjectKey,
        range: Range<Int64>? = nil,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UInt8] {
        let collected = CollectedBytes()
        _ = try await get(key, range: range, limit: Int64(limit), timeout: timeout) { piece in
            collected.append(piece)
        }
        return collected.bytes
    }

    /// Lists all keys with a prefix, sorted by bytes.
    ///
    /// - Parameters:
    ///   - prefix: The folder of the keys.
    ///   - key: The key after which the listing begins.
    ///   - limit: The maximum number of keys in all; more fail with `tooLarge`.
    ///   - timeout: The time limit of each page.
    /// - Returns: The keys and their sizes.
    /// - Throws: ``ObjectStoreError``.
    package func list(
        _ prefix: ObjectPrefix,
        after key: ObjectKey? = nil,
        limit: Int = 10_000_000,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [ListedObject] {
        var objects: [ListedObject] = []
        var mark = key
        while true {
            let page = try await page(of: prefix, after: mark, limit: 10_000, timeout: timeout)
            objects += page.objects
            guard objects.count <= limit else {
                throw ObjectStoreError(
                    .tooLarge,
                    "More than \(limit) objects are listed for \(prefix) in \(place).",
                    recovery: "Check that the store contains nothing else."
                )
            }
            guard !page.isLast, let last = page.objects.last else { return objects }
            mark = last.key
        }
    }

    /// Reads the object that identifies the store; callers do this before they write anything.
    ///
    /// If the object is missing, a disk is not connected or the bucket was emptied. It never means
    /// that the store is new.
    ///
    /// - Throws: ``ObjectStoreError``: `storeAbsent` if the object is missing.
    package func marker(
        _ key: ObjectKey,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UInt8] {
        do {
            return try await bytes(of: key, limit: limit, timeout: timeout)
        } catch  where error.code == .notFound {
            throw .absent(place, reason: "The object \(key) is missing.")
        }
    }

    /// Aborts the unfinished uploads that began before a given time, for keys with a prefix.
    ///
    /// The time is one of the store's clock.
    ///
    /// Uploads without a time are aborted as well.
    ///
    /// - Returns: The number of aborted uploads.
    package func abortUploads(
        below prefix: ObjectPrefix,
        startedBefore time: Date,
        timeout: Duration
    ) async throws(ObjectStoreError) -> Int {
        var count = 0
        for upload in try await unfinishedUploads(below: prefix, timeout: timeout) {
            if let started = upload.started, started >= time { continue }
            try await abort(upload, timeout: timeout)
            count += 1
        }
        return count
    }
}

extension ObjectStoreError {
    package static func absent(_ place: String, reason: String) -> ObjectStoreError {
        ObjectStoreError(
            .storeAbsent,
            "The cloud library is not at \(place).",
            reason: reason,
            recovery: "Connect the disk or mount the share, or correct the address, and try again."
        )
    }
}

/// The bytes that a receiver has collected so far.
private final class CollectedBytes: Sendable {
    private let storage = Mutex<[UInt8]>([])

    var bytes: [UInt8] { storage.withLock { $0 } }

    func append(_ piece: [UInt8]) { storage.withLock { $0 += piece } }
}

extension ObjectExtent {
    /// Returns the part of a range that lies inside an object; a range of nil is the whole object.
    package static func range(
        _ range: Range<Int64>?,
        of key: ObjectKey,
        size: Int64,
        limit: Int64
    ) throws(ObjectStoreError) -> Range<Int64> {
        guard let range else {
            guard size <= limit else { throw .tooLarge(key, size: size, limit: limit) }
            return 0..<size
        }
        guard range.lowerBound >= 0, range.lowerBound < size, !range.isEmpty else {
            throw .rangeNotSatisfiable(key, range)
        }
        let inside = range.clamped(to: 0..<size)
        let count = inside.upperBound - inside.lowerBound
        guard count <= limit else { throw .tooLarge(key, size: count, limit: limit) }
        return inside
    }
}
