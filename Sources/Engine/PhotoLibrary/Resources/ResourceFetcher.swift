internal import GRDB
internal import Glibc
package import LibraryService
internal import PhotoModel

/// Lists and opens the files of assets.
package struct ResourceFetcher: Sendable {
    let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    package init(store: LibraryStore) {
        self.init(LibraryView(store: store))
    }

    /// Lists the files of an asset, ordered by their type's `rank(_:)`; empty for an unknown asset.
    package func list(_ request: ResourceListRequest) throws -> ResourceListReply {
        let records = try view.read { reading -> [ResourceRecord] in
            guard try reading.permits(request.assetUUID) else { return [] }
            let statement = try reading.database.cachedStatement(
                sql: ResourceRecord.selectSQL + " WHERE asset.uuid = ? ORDER BY resource.id"
            )
            return try Row.fetchAll(statement, arguments: [request.assetUUID])
                .map(ResourceRecord.init(row:))
        }
        // The adjustments of an edit come before those imported with the original.
        let ordered = records.enumerated().sorted { first, second in
            let (left, right) = (first.element, second.element)
            return (Self.rank(left.type), left.isOfEdit ? 0 : 1, first.offset)
                < (Self.rank(right.type), right.isOfEdit ? 0 : 1, second.offset)
        }
        return ResourceListReply(resources: ordered.map(\.element))
    }

    /// Opens a file for reading.
    ///
    /// - Throws: `identifierNotFound` for an unknown resource, `networkAccessRequired` if its file
    ///   is only in the cloud, `missingResource` if it does not exist, `invalidResource` if the
    ///   file's size differs from the row's.
    package func open(
        _ request: ResourceOpenRequest
    ) throws -> (ResourceOpenReply, Descriptor) {
        let record = try record(request.resourceUUID)
        let path = view.store.bundle.absolutePath(of: record.path)
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            guard errno == ENOENT else {
                throw SystemError.last("open", path: path)
                    .libraryError(doing: "open")
            }
            if try isInCloud(record) { throw Self.inCloud(record) }
            throw damaged(.missingResource, record, path, "It is missing.")
        }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw SystemError.last("open", path: path)
                .libraryError(doing: "access")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw damaged(.invalidResource, record, path, "is not a regular file")
        }
        guard Int64(status.st_size) == record.size else {
            throw damaged(
                .invalidResource,
                record,
                path,
                "It has \(status.st_size) bytes instead of \(record.size)."
            )
        }
        return (ResourceOpenReply(resource: record), descriptor)
    }

    /// Returns the record of a file that the client may see.
    ///
    /// - Throws: `identifierNotFound`.
    func record(_ resourceUUID: String) throws -> ResourceRecord {
        let record = try view.read { reading -> ResourceRecord? in
            let statement = try reading.database.cachedStatement(
                sql: ResourceRecord.selectSQL + " WHERE resource.uuid = ?"
            )
            let record = try Row.fetchOne(statement, arguments: [resourceUUID])
                .map(ResourceRecord.init(row:))
            return try reading.permits(record?.assetUUID) ? record : nil
        }
        if let record { return record }
        throw LibraryError(
            .identifierNotFound,
            "The library has no resource with the identifier \(resourceUUID).",
            recovery: "It has been deleted; get the asset's resources again.",
            identifiers: [resourceUUID]
        )
    }

    private func damaged(
        _ code: LibraryError.Code,
        _ record: ResourceRecord,
        _ path: String,
        _ reason: String
    ) -> LibraryError {
        LibraryError(
            code,
            "The file of \(record.originalFilename) can't be read: \(path).",
            reason: reason,
            recovery: "Run photos verify, and restore the file from a backup.",
            path: path,
            identifiers: [record.assetUUID + ObjectKind.asset.identifierSuffix]
        )
    }

    /// Returns the rank of a resource type in the list of an asset's files, which begins with the
    /// original.
    ///
    /// Partners, edits, adjustment data and sidecars follow the original in this order.
    static func rank(_ type: ResourceType) -> Int {
        switch type {
        case .photo, .video, .audio: 0
        case .alternatePhoto: 1
        case .pairedVideo: 2
        case .photoProxy: 3
        case .fullSizePhoto, .fullSizeVideo: 4
        case .fullSizePairedVideo: 5
        case .adjustmentBasePhoto, .adjustmentBaseVideo: 6
        case .adjustmentBasePairedVideo: 7
        case .adjustmentData: 8
        case .sidecar: 9
        }
    }
}
