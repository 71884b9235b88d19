internal import FoundationEssentials

/// The contents of an in-memory store; a value that only one thread may use at a time.
struct MemoryContents: Sendable {
    /// An object, with the number of the client that wrote it.
    struct Object: Sendable {
        var bytes: [UInt8]
        var writer: Int
        /// Indicates whether all clients see the object, even if the store simulates stale reads or
        /// listings.
        var isSettled = false
    }

    struct Upload: Sendable {
        var key: ObjectKey
        var started: Date
        var parts: [Int: [UInt8]] = [:]
        var isAborted = false
    }

    var objects: [ObjectKey: Object] = [:]
    var uploads: [String: Upload] = [:]
    /// The changes that are postponed until `settle()`, oldest first.
    var late: [@Sendable (inout MemoryContents) -> Void] = []
    var requests = 0
    var clients = 0
    var uploadCount = 0

    /// The total size of all objects and parts in bytes.
    var size: Int64 {
        let parts = uploads.values.flatMap(\.parts.values).reduce(0) { $0 + $1.count }
        return Int64(objects.values.reduce(parts) { $0 + $1.bytes.count })
    }

    mutating func write(_ key: ObjectKey, _ bytes: [UInt8], by client: Int) {
        objects[key] = Object(bytes: bytes, writer: client)
    }

    /// Applies the postponed changes and makes all objects visible to all clients.
    mutating func settle() {
        let changes = late
        late = []
        for change in changes { change(&self) }
        for key in objects.keys { objects[key]?.isSettled = true }
    }
}
