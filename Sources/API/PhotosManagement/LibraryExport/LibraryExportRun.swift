internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Photos

/// A single run of a library export.
final class LibraryExportRun {
    private static let assetsPerStep = 200

    private let service: any LibraryService
    private let tree: ExportTree
    private let options: LibraryExport.Options
    private let control: OperationControl
    private let handler: (LibraryExport.Outcome) throws -> Void
    private let status: LibraryStatus
    private let nameLog: ExportNameLog
    private var names: ExportedNames
    private var summary = LibraryExport.Summary()
    /// The paths of this export's files, relative to the destination folder, including files that
    /// could not be exported.
    private var written: Set<String> = []
    /// The exported assets by row id, each with its UUID and the path of the file that represents
    /// it in albums.
    private var shown: [Int64: (uuid: String, path: String)] = [:]
    /// Indicates whether the file system has symbolic links, as far as that was tried.
    private var hasLinks = true
    /// The outcomes of the current step, whose files are not durable yet.
    private var held: [LibraryExport.Outcome] = []

    init(
        service: any LibraryService,
        path: String,
        options: LibraryExport.Options,
        control: OperationControl,
        folderSync: FolderSync = FolderSync(),
        handler: @escaping (LibraryExport.Outcome) throws -> Void
    ) throws(LibraryError) {
        self.service = service
        self.options = options
        self.control = control
        self.handler = handler
        status = try service.status()
        tree = try ExportTree(
            path: path,
            library: status.libraryUUID,
            service: service,
            folderSync: folderSync
        )
        nameLog = try ExportNameLog(
            in: tree.root + "/" + ExportTree.ownFolder,
            folderSync: folderSync
        )
        var names = ExportedNames()
        try nameLog.read { names.add($0) }
        self.names = names
    }

    /// Exports the assets, then the albums, and finally `library.jsonl`.
    ///
    ///     a step of assets ──names synced──▶ outcomes reported    (for each step)
    ///     albums ──names synced──▶ library.jsonl ──name synced──▶ end
    func run(_ progress: (LibraryExport.Progress) throws -> Void) throws -> LibraryExport.Summary {
        let selection = try select()
        let (part, manifest) = try tree.makePart()
        defer { unlink(part) }
        let header = ExportedLine.Header(
            libraryIdentifier: status.libraryUUID,
            version: status.version,
            softwareVersion: SoftwareVersion.current,
            assets: selection.ids.count,
            hidden: selection.hidden,
            deleted: selection.deleted,
            includesHidden: options.includesHidden,
            includesDeleted: options.includesDeleted
        )
        try append(header, to: manifest, part)
        for start in stride(from: 0, to: selection.ids.count, by: Self.assetsPerStep) {
            let end = min(start + Self.assetsPerStep, selection.ids.count)
            let request = AssetLoadRequest(ids: RowIDBuffer(Array(selection.ids[start..<end])))
            let records = try service.loadAssets(request).assets
            for (index, record) in records.enumerated() {
                guard !control.isStopped else {
                    try settle()
                    summary.wasStopped = true
                    return summary
                }
                do {
                    try append(try export(record), to: manifest, part)
                } catch {
                    // The assets before it were exported.
                    try? settle()
                    throw error
                }
                summary.assets += 1
                if index == records.count - 1 { try settle() }
                try progress(.init(assets: summary.assets, total: selection.ids.count))
            }
        }
        for collection in try exportCollections() { try append(collection, to: manifest, part) }
        try settle()
        guard !control.isStopped else {
            summary.wasStopped = true
            return summary
        }
        try tree.place(part, manifest, at: "library.jsonl")
        try tree.sync()
        var folders = ["Photos", "Hidden", "Recently Deleted"]
        // Without albums, those of an earlier export stay as they are.
        if options.albums != .none { folders.append("Albums") }
        for folder in folders {
            for path in tree.others(in: folder, written: written) {
                try report(outcome(.stale, path))
            }
        }
        return summary
    }

    private func append(_ line: some Encodable, to file: Descriptor, _ path: String) throws {
        try tree.write(Array(ExportedLine.text(line).utf8), to: file, path: path)
    }

    // MARK: - Assets

    /// Returns the row ids of the assets to export, in the order of insertion, and the numbers of
    /// hidden and deleted assets in the library.
    ///
    /// Hidden assets in Recently Deleted count as hidden only if the export includes Recently
    /// Deleted; otherwise, they are missing as deleted ones.
    private func select() throws -> (ids: [Int64], hidden: Int, deleted: Int) {
        func ids(_ scope: AssetFetchRequest.Scope, hidden: Bool) throws -> [Int64] {
            var request = AssetFetchRequest(scope: scope)
            request.includesHidden = hidden
            request.includesAllBurstMembers = true
            request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
            return Array(try service.fetch(request).ids)
        }
        let visible = try ids(.library, hidden: false)
        let all = try ids(.library, hidden: true)
        let deleted = try ids(.recentlyDeleted, hidden: true)
        var hidden = max(0, all.count - visible.count)
        var selected = options.includesHidden ? all : visible
        if options.includesDeleted {
            let visibleDeleted = try ids(.recentlyDeleted, hidden: false)
            hidden += max(0, deleted.count - visibleDeleted.count)
            selected += options.includesHidden ? deleted : visibleDeleted
        }
        summary.skippedHidden = options.includesHidden ? 0 : hidden
        summary.skippedDeleted = options.includesDeleted ? 0 : deleted.count
        // An asset that is deleted between two of the lists is in both.
        return (Set(selected).sorted(), hidden, deleted.count)
    }

    /// Writes the files of an asset; returns its line of `library.jsonl`.
    private func export(_ record: AssetRecord) throws -> ExportedLine.Asset {
        let request = ResourceListRequest(assetUUID: record.uuid)
        let resources = try service.listResources(request).resources
        let folder = Self.folder(of: record)
        guard !resources.isEmpty else {
            held.append(outcome(.missing, folder, record, reason: "The asset has no files."))
            return ExportedLine.Asset(record, xmp: nil, files: [])
        }
        let set = names.names(for: resources, of: record.uuid, in: folder, on: tree)
        if set.isNew {
            try nameLog.append(
                .init(
                    asset: record.uuid,
                    number: set.number,
                    folder: folder,
                    names: set.names
                )
            )
        }
        var files: [ExportedLine.File] = []
        for entry in set.entries {
            let path = folder + "/" + entry.name
            let isWritten = try export(entry.resource, of: record, at: path)
            files.append(Self.line(of: entry.resource, path: isWritten ? path : nil))
        }
        let xmp = folder + "/" + set.sidecar
        written.insert(xmp)
        let (packet, reason) = try packet(of: record)
        let result = try tree.write(packet.text, at: xmp)
        let kind: LibraryExport.Outcome.Kind = result == .written ? .exported : .unchanged
        held.append(outcome(kind, xmp, record, reason: reason))
        let rendered = zip(set.entries, files).first { entry, line in
            [.fullSizePhoto, .fullSizeVideo].contains(entry.resource.type) && line.path != nil
        }
        if let path = rendered?.1.path ?? files.first?.path {
            shown[record.id] = (record.uuid, path)
        }
        return ExportedLine.Asset(record, xmp: xmp, files: files)
    }

    /// Returns the sidecar of an asset, and the reason if the sidecar lacks some of the metadata.
    ///
    /// If files cannot be read, the export continues without the metadata that only these files
    /// contain.
    private func packet(of record: AssetRecord) throws(LibraryError) -> (XMPPacket, String?) {
        let kept: KeptMetadataReply
        var reason: String?
        do throws(LibraryError) {
            kept = try service.keptMetadata(KeptMetadataRequest(assetUUID: record.uuid))
            let sidecars = kept.unreadable.filter { $0.lowercased().hasSuffix(".xmp") }
            if !sidecars.isEmpty {
                reason =
                    "\(sidecars.joined(separator: ", ")) cannot be read, so people, labels and"
                    + " places in it are not in this file."
            }
        } catch {
            guard error.code == .workerUnavailable else { throw error }
            kept = KeptMetadataReply()
            reason =
                "People, labels and places that the library has no fields for are not in this"
                + " file. \(error.description)"
        }
        let date = kept.metadataDate
        return (XMPPacket(record, kept: kept.metadata, writtenDate: date), reason)
    }

    /// Exports a file; returns false if the file is missing or damaged in the library.
    private func export(_ resource: ResourceRecord, of record: AssetRecord, at path: String) throws
        -> Bool
    {
        let role = PHAssetResourceType(rawValue: resource.type.rawValue)
        let result: Result<ExportTree.Outcome, LibraryError>
        do throws(LibraryError) {
            let outcome = try tree.write(resource, at: path, time: record.creationDate)
            result = .success(outcome)
        } catch {
            result = .failure(error)
        }
        // An earlier export may have a file that the library lost since.
        written.insert(path)
        switch result {
        case .success(let result):
            let kind: LibraryExport.Outcome.Kind = result == .written ? .exported : .unchanged
            held.append(outcome(kind, path, record, role))
            return true
        case .failure(let error)
        where [.missingResource, .identifierNotFound, .networkAccessRequired].contains(error.code):
            // Also a file that was permanently deleted meanwhile, and one that is only in the
            // cloud.
            held.append(outcome(.missing, path, record, role, reason: error.description))
        case .failure(let error) where error.code == .invalidResource:
            held.append(outcome(.failed, path, record, role, reason: error.description))
        case .failure(let error): throw error
        }
        return false
    }

    /// Returns the path of the folder for an asset's files, which depends on the month of capture
    /// in local time.
    private static func folder(of record: AssetRecord) -> String {
        let area =
            record.trashedDate != nil
            ? "Recently Deleted" : record.isHidden ? "Hidden" : "Photos"
        let text = record.captureTime?.wallTime ?? record.creationDate.map(ExportDate.text)
        guard let text, let match = text.prefixMatch(of: /([0-9]{4})-([0-9]{2})-/) else {
            return area + "/Undated"
        }
        return "\(area)/\(match.1)/\(match.1)-\(match.2)"
    }

    private static func line(of resource: ResourceRecord, path: String?) -> ExportedLine.File {
        ExportedLine.File(
            path: path,
            uuid: resource.uuid,
            type: resource.type.rawValue,
            originalFilename: resource.originalFilename,
            contentType: resource.contentType,
            size: resource.size,
            sha256: resource.sha256,
            pixelWidth: resource.pixelSize.width,
            pixelHeight: resource.pixelSize.height,
            isOfEdit: resource.isOfEdit
        )
    }

    // MARK: - Albums

    /// Writes the folders of albums; returns the lines of `library.jsonl` for all albums and
    /// folders, parents first.
    private func exportCollections() throws -> [ExportedLine.Collection] {
        var lines: [ExportedLine.Collection] = []
        var pending = [(uuid: CollectionRecord.rootUUID, path: "Albums")]
        while let folder = pending.popLast() {
            let request = CollectionFetchRequest(scope: .children(folder: folder.uuid))
            let ids = try service.fetchCollections(request).ids
            let load = CollectionLoadRequest(ids: ids)
            for record in try service.loadCollections(load).collections {
                guard !control.isStopped else { return lines }
                let name = names.name(ExportedNames.safe(record.title), in: folder.path)
                let path = folder.path + "/" + name
                let isAlbum = record.kind == .album
                if !isAlbum { pending.append((record.uuid, path)) }
                let members = isAlbum ? try members(of: record) : []
                if options.albums != .none {
                    try tree.makeFolder(path)
                    if isAlbum { try write(record, members, to: path) }
                }
                lines.append(
                    ExportedLine.Collection(
                        kind: isAlbum ? "album" : "folder",
                        uuid: record.uuid,
                        title: record.title,
                        parent: folder.uuid == CollectionRecord.rootUUID ? nil : folder.uuid,
                        creationDate: ExportDate.text(record.creationDate),
                        modificationDate: ExportDate.text(record.modificationDate),
                        path: options.albums == .none ? nil : path,
                        members: isAlbum ? members.map(\.uuid) : nil
                    )
                )
            }
        }
        return lines
    }

    /// Returns the exported assets of an album, in the album's order.
    private func members(of album: CollectionRecord) throws -> [(uuid: String, path: String)] {
        var request = AssetFetchRequest(scope: .album(album.uuid))
        request.includesHidden = true
        request.includesAllBurstMembers = true
        request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
        return try service.fetch(request).ids.compactMap { shown[$0] }
    }

    private func write(
        _ album: CollectionRecord,
        _ members: [(uuid: String, path: String)],
        to folder: String
    ) throws {
        var listed: [ExportedLine.AlbumFolder.Member] = []
        for member in members {
            let name = names.name((member.path as NSString).lastPathComponent, in: folder)
            let path = folder + "/" + name
            written.insert(path)
            let identifier = member.uuid + ObjectKind.asset.identifierSuffix
            listed.append(.init(localIdentifier: identifier, name: name))
            switch options.albums {
            case .none: break
            case .links: if hasLinks { hasLinks = try tree.link(path, to: member.path) }
            case .copies: try tree.copy(member.path, to: path)
            }
        }
        let line = ExportedLine.AlbumFolder(
            title: album.title,
            localIdentifier: album.localIdentifier,
            members: listed
        )
        let list = folder + "/.album.json"
        written.insert(list)
        let result = try tree.write(ExportedLine.text(line), at: list)
        guard options.albums == .links, !hasLinks, !members.isEmpty else { return }
        let kind: LibraryExport.Outcome.Kind = result == .written ? .exported : .unchanged
        held.append(outcome(kind, list, reason: Self.lacksLinks))
    }

    private static let lacksLinks =
        "The file system has no symbolic links, so the folder of this album has only the list of"
        + " its photos. Use --albums copies to get copies of them."

    // MARK: - Outcomes

    private func outcome(
        _ kind: LibraryExport.Outcome.Kind,
        _ path: String,
        _ record: AssetRecord? = nil,
        _ role: PHAssetResourceType? = nil,
        reason: String? = nil
    ) -> LibraryExport.Outcome {
        LibraryExport.Outcome(
            kind: kind,
            path: tree.root + "/" + path,
            localIdentifier: record?.localIdentifier,
            role: role,
            reason: reason
        )
    }

    /// Makes the names of all files so far durable, and then reports the held outcomes.
    private func settle() throws {
        try nameLog.sync()
        try tree.sync()
        let outcomes = held
        held = []
        for outcome in outcomes { try report(outcome) }
    }

    private func report(_ outcome: LibraryExport.Outcome) throws {
        summary.counts[outcome.kind, default: 0] += 1
        try handler(outcome)
    }
}
