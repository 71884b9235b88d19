package import LibraryService
package import PhotoModel
internal import Synchronization

/// A staged file of a client.
package struct StagedSource: Sendable {
    package var file: StagedFile
    /// The modification time of the client's file, in nanoseconds since 1970.
    var modificationTime: Int64
}

/// The files that one session has staged for its next changes.
///
///     staged ──take──▶ (the commit's) ──▶ placed or removed
///        └───release, end of the session──▶ removed
///
/// 1. Each file leaves the table once, so no two commits use it.
/// 2. The files are closed while they wait.
/// 3. After a crash, the next recovery removes them with the folder of the staging session.
///
/// Thread-safe.
package final class FileTokens: Sendable {
    private let files = Mutex<[FileToken: StagedSource]>([:])

    package init() {}

    /// Adds a staged file to the table and closes its descriptor.
    ///
    /// - Returns: Its token.
    package func add(_ source: StagedSource) -> FileToken {
        source.file.park()
        return files.withLock { files in
            // Random, so that a number of another session is not one of this session by accident.
            var token = FileToken(.random(in: 1...Int64.max))
            while files[token] != nil { token = FileToken(.random(in: 1...Int64.max)) }
            files[token] = source
            return token
        }
    }

    /// Removes the files of a change set from the table and returns them.
    ///
    /// - Returns: The files, which belong to the caller.
    /// - Throws: `tokenUnknown` if one is not there, or is named twice; the others are then removed
    ///   from the disk.
    package func take(_ changes: ChangeSet) throws(LibraryError) -> [FileToken: StagedSource] {
        let resources = changes.resources
        guard !resources.isEmpty else { return [:] }
        var taken: [FileToken: StagedSource] = [:]
        var missing: ResourceCreation?
        files.withLock { files in
            for resource in resources {
                if let source = files.removeValue(forKey: resource.file) {
                    taken[resource.file] = source
                } else {
                    missing = missing ?? resource
                }
            }
        }
        guard let missing else { return taken }
        for source in taken.values { source.file.discard() }
        throw .unknownToken(of: missing)
    }

    /// Removes files from the table and from the disk; unknown tokens are ignored.
    package func release(_ tokens: [FileToken]) {
        let released = files.withLock { files in
            tokens.compactMap { files.removeValue(forKey: $0) }
        }
        for source in released { source.file.discard() }
    }

    /// Removes all files from the table and from the disk.
    package func releaseAll() {
        let released = files.withLock { files in
            defer { files = [:] }
            return files.values.map(\.self)
        }
        for source in released { source.file.discard() }
    }
}
