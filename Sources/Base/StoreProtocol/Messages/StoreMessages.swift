package import FoundationEssentials
package import ObjectStorage
package import WorkerProtocol

/// The protocol version, which a host and `photos-cloud` exchange and compare first.
package enum StoreProtocolVersion {
    package static let current = 2
}

/// A message from the host to `photos-cloud`.
package enum StoreRequest: Codable, Sendable {
    /// The first message, which opens the connection.
    case hello(version: Int)
    /// States the location of the store, as the second message. `photos-cloud` then confines itself
    /// to that location.
    case configure(StorePlace, allowsUnconfined: Bool)
    /// Starts a call with a number, which all replies to the call repeat.
    case call(Int64, StoreCall, milliseconds: Int64)
    /// Permits `photos-cloud` to send one more piece of an object.
    case credit(Int64)
    /// Cancels a call, which must still be answered.
    case cancel(Int64)
}

/// A call of an object store.
package enum StoreCall: Codable, Sendable {
    case put(ObjectKey, SentBytes, replaces: Bool)
    /// Reads an object, which is sent in pieces before the result.
    ///
    /// At first `StoreLimits.pieces` may be sent, then one more for each `credit`.
    case get(ObjectKey, start: Int64?, end: Int64?, limit: Int64)
    /// Opens an object of at most `limit` bytes as a file, whose descriptor comes with the result.
    case open(ObjectKey, limit: Int64)
    case page(ObjectPrefix, after: ObjectKey?, limit: Int)
    case delete(ObjectKey)
    case uploads(ObjectPrefix)
    case abort(SentUpload)
    case begin(ObjectKey)
    case part(Int, SentUpload, SentBytes)
    case complete(SentUpload, parts: [String])

    /// Indicates whether the call changes the store.
    package var isChange: Bool {
        switch self {
        case .put, .delete, .abort, .begin, .part, .complete: true
        case .get, .open, .page, .uploads: false
        }
    }
}

/// A message from `photos-cloud` to the host.
package enum StoreReply: Codable, Sendable {
    case hello(version: Int)
    /// The store is open, and the process is confined.
    case ready(SandboxReport)
    /// The store cannot be opened, and the process ends.
    case refused(StoreFailure)
    case piece(Int64, Data)
    case done(Int64, StoreResult)
    case failed(Int64, StoreFailure)
}

/// The result of a call.
package enum StoreResult: Codable, Sendable {
    case receipt(Date?)
    case extent(size: Int64, delivered: Int64, Date?)
    /// The size of an object whose descriptor is sent with the result; nil, without a descriptor,
    /// if the store's objects are not in files on a local disk.
    case opened(size: Int64?)
    /// A page of keys: the keys, separated by line breaks, and their sizes.
    case page(keys: String, sizes: [Int64], isLast: Bool, Date?)
    case uploads([SentUpload])
    case tag(String)
    case aborted
}

/// The limits that both ends of the connection observe.
package enum StoreLimits {
    /// The maximum number of concurrent calls.
    package static let calls = 8
    /// The maximum number of pieces of an object that were sent but not yet consumed.
    package static let pieces = 3
    /// The maximum number of bytes of a piece.
    package static let piece = 1 << 20
    /// The maximum size in bytes of contents inside a request; larger contents are sent as a
    /// descriptor.
    package static let inline = 64 << 10
    /// The maximum number of keys in a page, chosen so that the page fits into one message even if
    /// all its keys have the maximum length.
    package static let keys = 4000
    /// The maximum number of unfinished uploads in an answer.
    package static let uploads = 2000
    /// The maximum length in bytes of an upload identifier and of an ETag.
    package static let name = 1024
}

/// The contents of an object to write.
package struct SentBytes: Codable, Sendable {
    /// The bytes; nil if they are a range of the file whose descriptor is sent with the message.
    package var bytes: Data?
    package var start: Int64
    package var end: Int64
    /// The MD5 that the bytes must have.
    package var md5: Data?

    package init(bytes: Data?, start: Int64 = 0, end: Int64 = 0, md5: Data?) {
        self.bytes = bytes
        self.start = start
        self.end = end
        self.md5 = md5
    }
}

/// An unfinished multipart upload.
package struct SentUpload: Codable, Sendable {
    package var identifier: String
    package var key: ObjectKey?
    package var started: Date?

    package init(_ upload: UnfinishedUpload) {
        identifier = upload.identifier
        key = upload.key
        started = upload.started
    }

    package var upload: UnfinishedUpload {
        UnfinishedUpload(identifier: identifier, key: key, started: started)
    }
}
