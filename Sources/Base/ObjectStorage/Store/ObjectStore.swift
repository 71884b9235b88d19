package import FoundationEssentials

/// A store of objects, most of which are written once and never changed.
///
/// All stores promise the following, and callers rely on nothing else:
///
/// 1. A PUT of a fresh key is atomic: readers find the whole object or none.
/// 2. After a PUT succeeded, GET and LIST show it to every client.
/// 3. A PUT or DELETE that failed with ``ObjectStoreError/hasUnknownOutcome`` may have taken
///    effect, may do so at any later time, or never.
/// 4. Nobody else changes objects. A violation is detected by the caller's encryption.
///
/// Each call ends within its timeout, plus the time that a canceled receiver needs, and up to 5 s
/// for removing the parts of an upload that failed. A call in a canceled task fails with
/// `cancelled`. Nothing a store sends is trusted: sizes, names, order and lengths are checked, and
/// an answer that violates the protocol is an error.
package protocol ObjectStore: Sendable {
    /// The location of the store as text for messages, without credentials.
    var place: String { get }

    /// The interface for uploads in parts, or nil if the store needs none.
    var multipart: (any MultipartUploading)? { get }

    /// Writes an object and makes it durable.
    ///
    /// A second PUT of the same bytes under the same key succeeds, so a request without an answer
    /// can be repeated. If the bytes differ, the call fails with `alreadyExists` in stores that can
    /// detect it, and replaces the object in the others.
    ///
    /// - Throws: ``ObjectStoreError``: `damaged` if the bytes arrive with another MD5 than they
    ///   had; `full` if the store cannot hold them.
    func put(
        _ key: ObjectKey,
        from source: ObjectSource,
        mode: PutMode,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt

    /// Reads a whole object, or the part of it that lies within `range`.
    ///
    /// `receiver` gets the bytes in order, a piece at a time, and the next piece is not read before
    /// it returns. Bytes that it got before a failure may belong to a damaged object.
    ///
    /// - Throws: ``ObjectStoreError``: `notFound`; `tooLarge` if more than `limit` bytes would be
    ///   delivered, before any is; `receiverFailed` with the error of `receiver`.
    func get(
        _ key: ObjectKey,
        range: Range<Int64>?,
        limit: Int64,
        timeout: Duration,
        into receiver: @escaping ObjectReceiver
    ) async throws(ObjectStoreError) -> ObjectExtent

    /// Opens an object as a file, if the store has its objects in files on a disk of this computer.
    ///
    /// The caller reads the file itself, which saves the copies of a receiver's pieces.
    ///
    /// - Returns: The file; nil if the object can only be read with `get`. Nil does not mean that
    ///   the object exists.
    /// - Throws: ``ObjectStoreError``: `notFound`; `tooLarge` if it has more than `limit` bytes.
    func file(
        of key: ObjectKey,
        limit: Int64,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectFile?

    /// Lists a page of the keys with a prefix, in byte order, starting after `key`.
    ///
    /// The page has at most `limit` keys. A store may return fewer, but at least one unless the
    /// page is the last. Names that other programs wrote are skipped.
    func page(
        of prefix: ObjectPrefix,
        after key: ObjectKey?,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectPage

    /// Deletes an object; succeeds if the object does not exist.
    func delete(
        _ key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt

    /// Lists the uploads that were neither finished nor aborted.
    ///
    /// The result includes uploads that are in progress, here or on another computer.
    func unfinishedUploads(
        below prefix: ObjectPrefix,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UnfinishedUpload]

    /// Removes the parts of an unfinished upload; succeeds if there are none.
    func abort(_ upload: UnfinishedUpload, timeout: Duration) async throws(ObjectStoreError)

    /// Closes all connections. Must be called once, after all other calls ended.
    func close() async
}

/// A closure that receives the next bytes of an object.
package typealias ObjectReceiver = @Sendable ([UInt8]) async throws -> Void

/// The effect of a PUT if an object with the key exists.
package enum PutMode: Hashable, Sendable {
    /// Writes a new object.
    ///
    /// The caller promises that an existing object with the key has the same bytes.
    case create
    /// Replaces an existing object.
    case replace
}

/// The store's confirmation of a change.
package struct StoreReceipt: Hashable, Sendable {
    /// The time of the store's answer according to the store's own clock; nil if the store has no
    /// clock.
    package var serverDate: Date?

    package init(serverDate: Date? = nil) { self.serverDate = serverDate }
}

/// The result of reading an object or a part of it: the object's size, the number of bytes
/// delivered, and the time of the store's clock.
package struct ObjectExtent: Hashable, Sendable {
    /// The size of the whole object in bytes.
    package var size: Int64
    /// The number of bytes that were passed to the receiver.
    package var delivered: Int64
    /// The time of the store's answer according to the store's own clock; nil if the store has no
    /// clock.
    package var serverDate: Date?

    package init(size: Int64, delivered: Int64, serverDate: Date? = nil) {
        self.size = size
        self.delivered = delivered
        self.serverDate = serverDate
    }
}

/// An object in a listing.
package struct ListedObject: Hashable, Sendable {
    package var key: ObjectKey
    /// The size in bytes, as the store claims it.
    package var size: Int64

    package init(key: ObjectKey, size: Int64) {
        self.key = key
        self.size = size
    }
}

/// A page of a listing.
package struct ObjectPage: Hashable, Sendable {
    package var objects: [ListedObject]
    /// Indicates whether no further keys follow.
    package var isLast: Bool
    /// The time of the store's answer according to the store's own clock; nil if the store has no
    /// clock.
    package var serverDate: Date?

    package init(objects: [ListedObject], isLast: Bool, serverDate: Date? = nil) {
        self.objects = objects
        self.isLast = isLast
        self.serverDate = serverDate
    }
}

/// An upload that was not finished.
package struct UnfinishedUpload: Hashable, Sendable {
    /// The identifier that the store assigned to the upload.
    package var identifier: String
    /// The key of the object; nil if the store does not know it.
    package var key: ObjectKey?
    /// The start time by the store's clock; nil if the store does not state it.
    package var started: Date?

    package init(identifier: String, key: ObjectKey?, started: Date?) {
        self.identifier = identifier
        self.key = key
        self.started = started
    }
}

/// The interface for multipart uploads, used for large objects and by the probe.
package protocol MultipartUploading: Sendable {
    /// Starts an upload, which exists until it is completed or aborted.
    func beginUpload(
        of key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> UnfinishedUpload

    /// Uploads one part, numbered from 1 to 10,000, and returns its ETag.
    func putPart(
        _ number: Int,
        of upload: UnfinishedUpload,
        from source: ObjectSource,
        timeout: Duration
    ) async throws(ObjectStoreError) -> String

    /// Completes an upload: creates the object from the parts with the given ETags, in order.
    func complete(
        _ upload: UnfinishedUpload,
        parts: [String],
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt
}
