package import PhotoModel

/// The kind of an object.
package enum CloudObjectKind: UInt8, Hashable, Sendable {
    case asset = 1
    case album = 2
    case folder = 3
}

/// The constants of an object: two creations of one UUID are one object, and the earlier one's
/// constants count.
package struct Creation: Hashable, Sendable {
    package var kind: CloudObjectKind
    /// Whether an import made the asset; only imported assets can be twins.
    package var isImported: Bool
    package var originals: [CloudResource]
    /// Constants that merging does not interpret.
    package var constants: [UInt8]

    package init(
        kind: CloudObjectKind,
        isImported: Bool = false,
        originals: [CloudResource] = [],
        constants: [UInt8] = []
    ) {
        self.kind = kind
        self.isImported = isImported
        self.originals = originals
        self.constants = constants
    }
}

/// One change in a transaction.
package enum CloudOperation: Hashable, Sendable {
    case create(CloudID, Creation)
    case set(CloudID, RegisterKey, rank: UInt64, RegisterValue)
    case same(CloudID, CloudID)
    case stored(ContentID, blob: BlobName, key: [UInt8])
    case verified(BlobName, day: UInt32)
    case condemn(BlobName)
    case gone(BlobName)
    /// The purge of an object, with the register of its trash that it names.
    case purge(CloudID, trash: ChangeStamp, date: RegisterValue)
    /// A purge that all members acknowledged: only the UUID stays.
    case final(CloudID)
    case join(name: String)
    case retire(CloudID)
    case epoch(CloudID)
    /// An operation of a later version, kept as it is.
    case unknown(kind: UInt8, [UInt8])

    /// The contents that the operation refers to.
    package var contents: [ContentID] {
        switch self {
        case .create(_, let creation): creation.originals.map(\.content)
        case .set(_, _, _, let value): value.resources.map(\.content)
        default: []
        }
    }
}

/// The operations of one commit, which are applied as a whole.
package struct CloudTransaction: Hashable, Sendable {
    package var time: HybridTime
    /// The incarnation that made the commit; the log that it is published in may be a later one's.
    package var author: CloudID
    package var operations: [CloudOperation]

    package init(time: HybridTime, author: CloudID, operations: [CloudOperation]) {
        self.time = time
        self.author = author
        self.operations = operations
    }

    package var stamp: ChangeStamp { ChangeStamp(time: time, device: author) }
}
