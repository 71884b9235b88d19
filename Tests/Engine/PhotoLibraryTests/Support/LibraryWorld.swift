import Foundation
import GRDB
import PhotoModel
import TestSupport

@testable import PhotoLibrary

/// A new library in a separate folder, and ways to fill it without importing.
struct LibraryWorld {
    let folder: TemporaryFolder
    let path: String
    let store: LibraryStore

    init() throws {
        Self.isolateState()
        folder = try TemporaryFolder("photos-library")
        path = folder.path + "/Test.photolibrary"
        try LibraryStore.create(at: path)
        store = try LibraryStore.open(at: path)
    }

    /// Redirects the state that a library keeps outside of itself to a folder of the tests.
    static func isolateState() { _ = isolated }
    private static let isolated: Bool = {
        let folder = FileManager.default.temporaryDirectory.path + "/photos-test-state"
        setenv("XDG_STATE_HOME", folder, 1)
        return true
    }()

    /// Returns an ordinary record.
    static func record(_ name: String = "IMG_0001.JPG") -> AssetRecord {
        var record = AssetRecord(
            id: 0,
            uuid: UUID().uuidString,
            mediaType: .image,
            originalFilename: name,
            contentType: "public.jpeg",
            addedDate: Date(timeIntervalSinceReferenceDate: 700_000_000)
        )
        record.playbackStyle = .image
        record.pixelSize = PixelSize(width: 4032, height: 3024)
        record.creationDate = Date(timeIntervalSinceReferenceDate: 600_000_000)
        return record
    }

    /// Adds assets without files, and returns their row ids.
    @discardableResult
    func insert(_ records: AssetRecord...) throws -> [Int64] { try insert(records) }

    @discardableResult
    func insert(_ records: [AssetRecord]) throws -> [Int64] {
        try store.write(author: "test") { transaction in
            try records.map { try transaction.insertAsset($0) }
        }
    }

    /// Adds an asset with a real file of some bytes, and returns its resource.
    @discardableResult
    func insertWithFile(_ record: AssetRecord, bytes: [UInt8]) throws -> ResourceRecord {
        let uuid = UUID().uuidString
        let relative = "originals/\(uuid.prefix(2).lowercased())/\(uuid).jpg"
        let file = URL(fileURLWithPath: store.bundle.absolutePath(of: relative))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        let digest = hasher.finish()?.hexadecimal ?? ""
        return try store.write(author: "test") { transaction in
            let id = try transaction.insertAsset(record)
            let resource = ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: id,
                assetUUID: record.uuid,
                type: .photo,
                originalFilename: record.originalFilename,
                contentType: "public.jpeg",
                path: relative,
                size: Int64(bytes.count),
                sha256: digest,
                pixelSize: record.pixelSize
            )
            try transaction.insertResource(resource)
            return resource
        }
    }

    /// Changes rows without the library's knowledge, as damage would.
    func tamper(_ sql: String) throws {
        let queue = try DatabaseQueue(path: store.bundle.database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: sql)
        }
        try queue.close()
    }
}
