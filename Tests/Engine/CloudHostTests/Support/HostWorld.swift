import CloudKeys
import EmbeddedLibrary
import Foundation
import GRDB
import LibraryService
import Logging
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// A library with pictures, and its part of a cloud library, by default in a store in memory.
///
/// Not Sendable: one test owns it.
final class HostWorld {
    let world: RenditionWorld
    let engine: LibraryEngine
    let secrets: any SecretStore
    let opener: StoreOpener
    private let state: TemporaryFolder

    convenience init(_ store: MemoryStore) throws {
        try self.init(client: { store.secondClient() })
    }

    /// Makes a library whose connections to the store are new clients of it.
    convenience init(client: @escaping @Sendable () -> any ObjectStore) throws {
        try self.init(opener: StoreOpener { _, _ in client() })
    }

    init(opener: StoreOpener) throws {
        world = try RenditionWorld()
        engine = try LibraryEngine.open(at: world.store.bundle.root)
        state = try TemporaryFolder("photos-secrets")
        secrets = FileSecretStore(state: StateFolder(state.path))
        self.opener = opener
    }

    deinit { engine.close() }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let settings = StoreSettings(address: .directory("/memory"))

    private func setup() throws -> CloudSetup {
        CloudSetup(
            engine: engine,
            library: try engine.libraryIdentifier(),
            path: world.store.bundle.root,
            secrets: secrets,
            opener: opener
        )
    }

    func create(passphrase: String? = nil) async throws -> String {
        let passphrase = try passphrase.map { text in try Passphrase(text) }
        let outcome = try await setup()
            .create(Self.settings, passphrase: passphrase, name: "First")
        return try #require(outcome.recoveryCode?.text)
    }

    func join(with code: String) async throws { try await join(.recoveryCode(code)) }

    func join(_ secret: CloudSecret) async throws {
        _ = try await setup().join(Self.settings, secret: secret, name: "Other")
    }

    func host(
        exportPage: SyncHost.ExportPage = SyncHost.ExportPage(),
        maximumInputSize: Int? = nil,
        removalYield: RemovalYield = RemovalYield(),
        report: @escaping @Sendable (SyncHost.Report) -> Void = { _ in }
    ) throws -> SyncHost {
        try SyncHost(
            engine,
            SyncHost.Configuration(
                secrets: secrets,
                opener: opener,
                logger: Self.logger,
                removalYield: removalYield,
                report: report,
                exportPage: exportPage,
                maximumInputSize: maximumInputSize
            )
        )
    }

    /// Performs a session with a host of its own, as a process that starts and ends.
    @discardableResult
    func sync() async throws -> SyncHost.Report {
        let host = try host()
        do {
            let report = try await host.session()
            await host.close()
            return report
        } catch {
            await host.close()
            throw error
        }
    }

    /// The identifiers, titles and files of all photos.
    func facts() throws -> [String] {
        try world.store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT asset.uuid || ' ' || coalesce(asset.title, '') || ' ' || asset.isFavorite
                        || ' ' || coalesce(group_concat(hex(sha256) || ' ' || presence), '')
                    FROM asset LEFT JOIN resource ON resource.assetId = asset.id
                    GROUP BY asset.id ORDER BY asset.uuid
                    """
            )
        }
    }

    /// Adds a photo as an import does, and returns its UUID.
    ///
    /// Another library that imports a photo with this number and size has a twin of it.
    func importPhoto(_ number: Int, size: PixelSize) throws -> String {
        let uuid = try world.addPhoto(number, size: size)
        let path = world.store.bundle.root + "/database/library.sqlite"
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    INSERT INTO importedFile (path, size, modificationTime, statusChangeTime, inode,
                        device, stemKey, resourceId)
                    SELECT CAST(path AS BLOB), size, 0, 0, 0, 0, x'00', id FROM resource
                    WHERE assetId = (SELECT id FROM asset WHERE uuid = ?)
                    """,
                arguments: [uuid]
            )
        }
        return uuid
    }

    /// Changes a photo as a person does.
    func set(_ uuid: String, title: String) throws {
        var edit = AssetEdit()
        edit.title = .set(title)
        try world.change(.editAsset(uuid: uuid, edit))
    }

    /// Returns where the file of a photo is.
    func path(ofFileOf uuid: String) throws -> URL {
        let path = try world.store.read { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT path FROM resource JOIN asset ON asset.id = assetId
                    WHERE asset.uuid = ?
                    """,
                arguments: [uuid]
            )
        }
        return URL(fileURLWithPath: world.store.bundle.absolutePath(of: try #require(path)))
    }

    /// Makes the library say that the file of its only photo is in the cloud alone.
    ///
    /// - Returns: Where the file still is.
    func takeFileAway() throws -> URL {
        let root = world.store.bundle.root
        return try DatabaseQueue(path: root + "/database/library.sqlite").write { database in
            try database.execute(sql: "UPDATE resource SET presence = 1")
            let path = try #require(
                try String.fetchOne(database, sql: "SELECT path FROM resource")
            )
            return URL(fileURLWithPath: world.store.bundle.absolutePath(of: path))
        }
    }
}
