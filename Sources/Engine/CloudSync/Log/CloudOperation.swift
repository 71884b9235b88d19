package import PhotoModel

/// The kind of an object.
package enum CloudObjectKind: UInt8, Hashable, Sendable {
    case asset = 1
    case album = 2
    case folder = 3
}

/// The properties with which an object is created.
///
/// Two creations with the same UUID are one object, which has the properties of the earlier
/// creation.
package struct Creation: Hashable, Sendable {
    package var kind: CloudObjectKind
    /// Indicates whether the asset was imported; only imported assets are recognized as twins (see
    /// ``TwinUnion``).
    package var isImported: Bool
    package var originals: [CloudResource]
    /// The other properties, encoded, which merging does not interpret.
    ///
    /// Some of them are initial values, which registers replace once they were changed.
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

/// A single change in a transaction.
package enum CloudOperation: Hashable, Sendable {
    case create(CloudID, Creation)
    case set(CloudID, RegisterKey, rank: UInt64, RegisterValue)
    case same(CloudID, CloudID)
    case stored(ContentID, blob: BlobName, key: [UInt8])
    case verified(BlobName, day: UInt32)
    case condemn(BlobName)
    case gone(BlobName)
    /// A permanent deletion of an object, with the stamp and the date of its move to the trash. A
    /// restore from the trash voids it.
    case purge(CloudID, trash: ChangeStamp, date: RegisterValue)
    /// A purge that all members have acknowledged, after which only the object's UUID is kept.
    case final(CloudID)
    case join(name: String)
    case retire(CloudID)
    case epoch(CloudID)
    /// An operation of a kind that only later software versions know, with its undecoded bytes.
    case unknown(kind: UInt8, [UInt8])

    /// The file contents to which the operation refers.
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
    /// The identifier that the committing device had at the time of the commit.
    ///
    /// A device that has to start a new log becomes a new incarnation, with another identifier. The
    /// transaction may be published in the log of a later incarnation of that device.
    package var author: CloudID
    package var operations: [CloudOperation]

    package init(time: HybridTime, author: CloudID, operations: [CloudOperation]) {
        self.time = time
        self.author = author
        self.operations = operations
    }

    package var stamp: ChangeStamp { ChangeStamp(time: time, device: author) }
}
