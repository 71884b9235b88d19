/// A request to open an import session, with one staging folder.
package struct ImportSessionRequest: Codable, Hashable, Sendable {
    package init() {}
}

/// The identifier of an open import session.
package struct ImportSessionReply: Codable, Hashable, Sendable {
    package var session: Int64
    package init(session: Int64) { self.session = session }
}

/// The file system metadata of a file.
///
/// It suffices to recognize a previously imported file without reading it.
package struct SourceFile: Codable, Hashable, Sendable {
    /// The absolute path as bytes, with symbolic links unresolved.
    package var path: [UInt8]
    /// The size in bytes.
    package var size: Int64
    /// The modification time in nanoseconds since 1970.
    package var modificationTime: Int64
    /// The status change time of the inode, in nanoseconds since 1970.
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

/// A request to find previously imported files by name, size, times and inode, without reading
/// them.
package struct KnownFilesRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package var files: [SourceFile]
    package init(session: Int64, files: [SourceFile]) {
        self.session = session
        self.files = files
    }
}

/// The outcome of each file's earlier import; nil for a file that was not imported before.
package struct KnownFilesReply: Codable, Hashable, Sendable {
    package var outcomes: [ImportOutcome?]
    package init(outcomes: [ImportOutcome?]) { self.outcomes = outcomes }
}

/// A request to import files, whose descriptors are passed alongside in the same order.
///
/// Every outcome that the reply acknowledges is durable.
package struct ImportFilesRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package var files: [SourceFile]
    /// Indicates whether the library's copy of each duplicate is reread and its SHA-256 compared
    /// with the source file's.
    ///
    /// This is required before the source is removed.
    package var verifiesDuplicates: Bool
    /// Indicates whether the descriptors refer to copies of the source files, such as files
    /// transferred from a device.
    ///
    /// The files' metadata is then taken from the request, not from the descriptors.
    package var areCopies: Bool

    package init(
        session: Int64,
        files: [SourceFile],
        verifiesDuplicates: Bool = false,
        areCopies: Bool = false
    ) {
        self.session = session
        self.files = files
        self.verifiesDuplicates = verifiesDuplicates
        self.areCopies = areCopies
    }
}

/// The outcome of each file, in the order of the request.
package struct ImportFilesReply: Codable, Hashable, Sendable {
    package var outcomes: [ImportOutcome]
    package init(outcomes: [ImportOutcome]) { self.outcomes = outcomes }
}

/// A request to end an import session and remove its staging folder.
package struct ImportEndRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package init(session: Int64) { self.session = session }
}

/// The outcome of one file.
package struct ImportOutcome: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file became a new asset.
        case imported
        /// The library already contains the same bytes.
        case duplicate
        /// The file was added to an asset, as the movie of a Live Photo, the RAW of a JPEG, or a
        /// sidecar.
        case paired
        /// The file is not of a supported media type.
        case unsupported
        /// The import of a supported file failed.
        case failed
    }

    /// What prevented the import of a file, apart from the file itself.
    package enum Obstacle: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file is a sidecar, and the library has no photo or movie for it.
        case mediumMissing
        /// The circumstances at the time, which have probably passed.
        case passing
    }

    package var kind: Kind
    /// The local identifier of the asset, for `imported`, `duplicate` and `paired`.
    package var localIdentifier: String?
    /// The reason for `unsupported` and `failed`; for the other kinds a remark, for example that
    /// the duplicate is in Recently Deleted.
    package var reason: String?
    /// Indicates whether the source can be removed without losing its bytes.
    ///
    /// True when this call stored them durably. For a duplicate, true only when this call read the
    /// library's file and found the same SHA-256, and the asset is not in Recently Deleted.
    package var isSafeToRemove: Bool
    /// The obstacle without which the same file could be imported; nil if there is none.
    package var obstacle: Obstacle?
    /// Further remarks, for example about content that was kept but is not shown.
    package var notes: [MigrationNote]

    package init(
        _ kind: Kind,
        localIdentifier: String? = nil,
        reason: String? = nil,
        isSafeToRemove: Bool = false,
        obstacle: Obstacle? = nil,
        notes: [MigrationNote] = []
    ) {
        self.kind = kind
        self.localIdentifier = localIdentifier
        self.reason = reason
        self.isSafeToRemove = isSafeToRemove
        self.obstacle = obstacle
        self.notes = notes
    }
}
