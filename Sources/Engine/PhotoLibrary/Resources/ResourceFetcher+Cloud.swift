package import CloudSync
internal import GRDB
package import LibraryService
package import PhotoModel

/// Queries about files that are stored only in the cloud.
extension ResourceFetcher {
    /// A file that is not on this computer.
    package struct MissingFile: Sendable {
        package let record: ResourceRecord
        package let content: ContentID
    }

    /// Returns a resource's file if it is only in the cloud; nil if the file is stored on this
    /// computer.
    ///
    /// - Throws: `identifierNotFound` for a file that the client may not see.
    package func missingFile(_ resourceUUID: String) throws -> MissingFile? {
        let record = try record(resourceUUID)
        guard try isInCloud(record), let content = ContentID(hexadecimal: record.sha256) else {
            return nil
        }
        return MissingFile(record: record, content: content)
    }

    /// Returns for each asset whether all, some or none of its files are on this computer.
    ///
    /// An asset counts as away if its original is; its state is nil if it has no files or the
    /// client may not see it.
    package func cloudStates(_ request: CloudStatesRequest) throws -> CloudStatesReply {
        try view.read { reading in
            let database = reading.database
            let isCloudLibrary = try LibrarySetting.cloudLibrary.value(in: database) != nil
            let statement = try database.cachedStatement(
                sql: """
                    SELECT resource.type, resource.presence <> 0
                    FROM asset JOIN resource ON resource.assetId = asset.id
                    WHERE asset.uuid = ? ORDER BY resource.id
                    """
            )
            let states = try request.assetUUIDs.map { uuid -> CloudState? in
                guard try reading.permits(uuid) else { return nil }
                return Self.state(
                    try Row.fetchAll(statement, arguments: [uuid]).map { row in
                        (
                            rank: ResourceType(rawValue: row[0]).map(Self.rank) ?? .max,
                            isAway: row[1]
                        )
                    }
                )
            }
            return CloudStatesReply(isCloudLibrary: isCloudLibrary, states: states)
        }
    }

    private static func state(_ files: [(rank: Int, isAway: Bool)]) -> CloudState? {
        guard let original = files.min(by: { $0.rank < $1.rank }) else { return nil }
        if original.isAway { return .away }
        return files.contains(where: \.isAway) ? .partial : .here
    }

    func isInCloud(_ record: ResourceRecord) throws -> Bool {
        try view.store.read { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT presence <> 0 FROM resource WHERE id = ?"),
                arguments: [record.id]
            ) ?? false
        }
    }

    static func inCloud(_ record: ResourceRecord) -> LibraryError {
        LibraryError(
            notHere: record,
            recovery: "Allow network access, or run photos cloud download \(record.assetUUID)."
        )
    }
}

extension LibraryError {
    /// Creates the error for a file that is only in the cloud.
    package init(notHere record: ResourceRecord, recovery: String) {
        self.init(
            .networkAccessRequired,
            "The file of \(record.originalFilename) is not on this computer.",
            reason: "It is in the cloud library and has not been downloaded yet.",
            recovery: recovery,
            identifiers: [record.assetUUID + ObjectKind.asset.identifierSuffix]
        )
    }
}
