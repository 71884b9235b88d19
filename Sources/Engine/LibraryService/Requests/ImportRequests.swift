/// Opens an import session: one staging folder, one author in the journal.
package struct ImportSessionRequest: Codable, Hashable, Sendable {
    /// Who imports, for the journal.
    package var author: String
    package init(author: String) { self.author = author }
}

/// The name of an open import session.
package struct ImportSessionReply: Codable, Hashable, Sendable {
    package var session: Int64
    package init(session: Int64) { self.session = session }
}

/// What the file system says of a file.
///
/// Enough to tell, without reading it, that it is the file that was imported before.
package struct SourceFile: Codable, Hashable, Sendable {
    /// The absolute path, links unresolved, as the file system's bytes.
    package var path: [UInt8]
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modificationTime: Int64
    /// Nanoseconds since 1970: the inode's own change time.
    package var statusChangeTime: Int64
    package var inode: UInt64
    package var device: UInt64

    package init(
        path: [UInt8],
        size: Int64,
        modificationTime: Int64,
        statusChangeTime: Int64,
        inode: UInt64,
        device: UInt64
    ) {
        self.path = path
        self.size = size
        self.modificationTime = modificationTime
        self.statusChangeTime = statusChangeTime
        self.inode = inode
        self.device = device
    }
}

/// Asks which files are in the library already, going by name, size, times and inode alone.
package struct KnownFilesRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package var files: [SourceFile]
    package init(session: Int64, files: [SourceFile]) {
        self.session = session
        self.files = files
    }
}

/// An answer per file: what it became when it was imported before, else nil.
package struct KnownFilesReply: Codable, Hashable, Sendable {
    package var outcomes: [ImportOutcome?]
    package init(outcomes: [ImportOutcome?]) { self.outcomes = outcomes }
}

/// Imports files, whose descriptors come beside in the same order.
///
/// All that the reply acknowledges is durable.
package struct ImportFilesRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package var files: [SourceFile]
    /// Whether the library's file of each duplicate is read again and its SHA-256 compared, as is
    /// due before the source is removed.
    package var verifiesDuplicates: Bool

    package init(session: Int64, files: [SourceFile], verifiesDuplicates: Bool = false) {
        self.session = session
        self.files = files
        self.verifiesDuplicates = verifiesDuplicates
    }
}

/// An outcome per file, in the request's order.
package struct ImportFilesReply: Codable, Hashable, Sendable {
    package var outcomes: [ImportOutcome]
    package init(outcomes: [ImportOutcome]) { self.outcomes = outcomes }
}

/// Ends an import session and removes its staging folder.
package struct ImportEndRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package init(session: Int64) { self.session = session }
}

/// What became of one file.
package struct ImportOutcome: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A new asset.
        case imported
        /// The same bytes are in the library.
        case duplicate
        /// It joined an asset: the movie of a Live Photo, the RAW beside a JPEG, a sidecar.
        case paired
        /// Not a medium that the library holds.
        case unsupported
        /// It should have worked and did not.
        case failed
    }

    package var kind: Kind
    /// The asset, for the first three kinds.
    package var localIdentifier: String?
    /// Why, for the last two kinds; for the others a remark, such as that the duplicate is in Recently
    /// Deleted.
    package var reason: String?
    /// Whether the source can be removed without losing its bytes.
    ///
    /// True when this call put them into the library, durably. For a duplicate only when this call
    /// read the library's file and found the same SHA-256, and the asset is not in Recently Deleted.
    package var isSafeToRemove: Bool

    package init(
        _ kind: Kind,
        localIdentifier: String? = nil,
        reason: String? = nil,
        isSafeToRemove: Bool = false
    ) {
        self.kind = kind
        self.localIdentifier = localIdentifier
        self.reason = reason
        self.isSafeToRemove = isSafeToRemove
    }
}
