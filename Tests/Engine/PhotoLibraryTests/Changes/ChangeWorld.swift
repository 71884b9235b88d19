import Foundation
import GRDB
import LibraryService
import Logging
import PhotoModel
import RenditionFixture
import TestSupport
import WorkerProtocol

@testable import PhotoLibrary

/// A library, files to create assets from, and a committer whose prober returns the facts in the
/// files (see `ImportWorld`).
final class ChangeWorld: Sendable {
    let folder: TemporaryFolder
    let libraryPath: String
    let store: LibraryStore
    let prober: TableProber
    let committer: ChangeCommitter
    let renditions = RecordingSink()

    /// The time of all changes, later than any record was added.
    static let now = Date(timeIntervalSinceReferenceDate: 710_000_000)

    init(
        files: FileOperations = FileOperations(),
        prober: TableProber = TableProber(),
        existingLibrary: String? = nil,
        clock: @escaping @Sendable () -> Date = { ChangeWorld.now }
    ) throws {
        LibraryWorld.isolateState()
        folder = try TemporaryFolder("photos-change")
        libraryPath = existingLibrary ?? folder.file("Test.photolibrary").path
        if existingLibrary == nil { try LibraryStore.create(at: libraryPath) }
        store = try LibraryStore.open(at: libraryPath, clock: clock)
        self.prober = prober
        var configuration = ImportConfiguration()
        configuration.files = files
        configuration.timeZone = try ImportWorld.zone("America/New_York")
        committer = ChangeCommitter(
            store: store,
            prober: prober,
            renditions: renditions,
            logger: Logger(label: "test"),
            configuration: configuration
        )
    }

    // MARK: - Committing

    /// Commits actions as one set.
    @discardableResult
    func commit(_ actions: ChangeAction..., files: [Descriptor] = []) throws -> CommitReply {
        try commit(actions, files: files)
    }

    @discardableResult
    func commit(_ actions: [ChangeAction], files: [Descriptor] = []) throws -> CommitReply {
        try CommitterClient(committer: committer).commit(
            ChangeSet(
                operations: actions.map { ChangeOperation(request: "Test.request", action: $0) }
            ),
            files: files
        )
    }

    /// Adds assets without files, and returns their UUIDs.
    func assets(_ count: Int) throws -> [String] {
        let records = (0..<count).map { LibraryWorld.record("IMG_\($0).JPG") }
        try store.write(author: "tests") { transaction in
            for record in records { try transaction.insertAsset(record) }
        }
        return records.map(\.uuid)
    }

    /// Creates an album with members, and returns its UUID.
    func album(_ title: String = "Album", of assets: [String] = []) throws -> String {
        let uuid = UUID().uuidString
        try commit(
            .createCollection(CollectionCreation(uuid: uuid, kind: .album, title: title)),
            .editMembers(album: uuid, ListEdit(steps: [.add(assets)]))
        )
        return uuid
    }

    func folder(_ title: String = "Folder", of collections: [String] = []) throws -> String {
        let uuid = UUID().uuidString
        try commit(
            .createCollection(CollectionCreation(uuid: uuid, kind: .folder, title: title)),
            .editChildren(folder: uuid, ListEdit(steps: [.add(collections)]))
        )
        return uuid
    }

    // MARK: - Files

    /// Writes a file that the prober accepts as media with these facts.
    func file(_ facts: MediaFacts) throws -> Descriptor {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try file(encoder.encode(facts))
    }

    func file(_ data: Data) throws -> Descriptor {
        let url = try folder.write(data, to: "source/\(UUID().uuidString)")
        let number = open(url.path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw CocoaError(.fileReadNoPermission) }
        return Descriptor(owning: number)
    }

    /// Returns a creation of an asset from files of these types, in the order of their descriptors.
    static func creation(
        _ types: ResourceType...,
        uuid: String = UUID().uuidString,
        names: [String?] = [],
        edit: AssetEdit = AssetEdit()
    ) -> AssetCreation {
        AssetCreation(
            uuid: uuid,
            resources: types.enumerated().map { index, type in
                ResourceCreation(
                    type: type,
                    file: FileToken(Int64(index)),
                    originalFilename: index < names.count ? names[index] : nil
                )
            },
            edit: edit
        )
    }

    // MARK: - Queries

    func asset(_ uuid: String) throws -> AssetRecord? {
        try store.read { database in
            try Row.fetchOne(
                database,
                sql: AssetRecord.map.selectSQL + " WHERE uuid = ?",
                arguments: [uuid]
            ).map(AssetRecord.init(row:))
        }
    }

    func collection(_ uuid: String) throws -> CollectionRecord? {
        try store.read { database in
            try Row.fetchOne(
                database,
                sql: CollectionRecord.map.selectSQL + " WHERE uuid = ?",
                arguments: [uuid]
            ).map(CollectionRecord.init(row:))
        }
    }

    func resources(_ uuid: String) throws -> [ResourceRecord] {
        try ResourceFetcher(store: store).list(ResourceListRequest(assetUUID: uuid)).resources
    }

    /// Returns the UUIDs of an album's members, in its order.
    func members(_ album: String) throws -> [String] {
        try store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT asset.uuid FROM albumAsset JOIN asset ON asset.id = assetId
                    JOIN collection ON collection.id = albumId WHERE collection.uuid = ?
                    ORDER BY albumAsset.position, assetId
                    """,
                arguments: [album]
            )
        }
    }

    /// Returns the UUIDs of a folder's direct children, in its order.
    func children(_ folder: String) throws -> [String] {
        try store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT uuid FROM collection
                    WHERE parentId IS (SELECT id FROM collection WHERE uuid = ?)
                    ORDER BY position, id
                    """,
                arguments: [folder]
            )
        }
    }

    /// Returns the row ids of UUIDs, in their order.
    func rowIDs(_ uuids: [String]) throws -> RowIDBuffer {
        RowIDBuffer(try uuids.compactMap { try asset($0)?.id ?? collection($0)?.id })
    }

    func version() throws -> Int64 { try store.currentVersion() }

    /// Returns the findings of `verify` when it reads everything.
    ///
    /// With `hasBareAssets`, assets that a test added without files are not findings.
    func findings(hasBareAssets: Bool = false) throws -> [String] {
        let verifier = Verifier(store: store)
        var request = VerifyRequest(isFull: true, repairs: false)
        var findings: [String] = []
        while true {
            let reply = try verifier.verify(request)
            findings += reply.findings
                .filter { !hasBareAssets || $0.kind != "assetWithoutOriginal" }
                .map { "\($0.kind): \($0.message)" }
            guard let next = reply.next else { return findings }
            request = VerifyRequest(isFull: true, repairs: false, cursor: next)
        }
    }
}
