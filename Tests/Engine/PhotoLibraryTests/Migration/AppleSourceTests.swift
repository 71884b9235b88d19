import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// A test with a generated library of Photos and a library that imports it.
protocol AppleSourceTests {
    var setting: AppleSourceSetting { get }
}

/// A generated library of Photos, and a world into which it is imported.
struct AppleSourceSetting {
    let world: MigrationWorld
    let library: AppleLibrary
    let source: URL

    init() throws {
        world = try MigrationWorld()
        library = AppleLibrary()
        source = world.folder.file("Source.photoslibrary")
        try library.write(to: source)
    }
}

extension AppleSourceTests {
    var world: MigrationWorld { setting.world }
    var library: AppleLibrary { setting.library }
    var source: URL { setting.source }

    func path(_ name: String) -> String { source.path + "/" + name }

    func render(_ index: Int) -> String {
        path("resources/renders/A/\(library.uuid(index))_1_201_a.jpeg")
    }

    func movie(_ index: Int) -> String {
        path("originals/A/\(library.uuid(index))_3.mov")
    }

    /// Moves a file out of the source, and returns a function that moves it back.
    func takeAway(_ file: String) throws -> () throws -> Void {
        let place = world.folder.file("away-" + (file as NSString).lastPathComponent).path
        try FileManager.default.moveItem(atPath: file, toPath: place)
        return { try FileManager.default.moveItem(atPath: place, toPath: file) }
    }

    func asset(_ index: Int) throws -> Row {
        try #require(
            try world.rows("SELECT * FROM asset WHERE uuid = ?", [library.uuid(index)]).first
        )
    }

    func types(_ uuid: String) throws -> [Int] {
        try world.rows(
            """
            SELECT r.type FROM resource r JOIN asset a ON a.id = r.assetId WHERE a.uuid = ?
            ORDER BY 1
            """,
            [uuid]
        ).map { $0[0] }
    }

    func digest(_ uuid: String, _ type: Int) throws -> String? {
        try world.rows(
            """
            SELECT lower(hex(r.sha256)) FROM resource r JOIN asset a ON a.id = r.assetId
            WHERE a.uuid = ? AND r.type = ?
            """,
            [uuid, type]
        ).first?[0]
    }

    func change(_ action: ChangeAction) throws {
        _ = try world.service.commit(
            CommitRequest(
                changes: ChangeSet(operations: [ChangeOperation(request: "t", action: action)])
            )
        )
    }

    /// Changes a value of an asset in the source, as Photos does.
    func changeSource(_ index: Int, _ sql: String) throws {
        try library.execute(
            """
            UPDATE ZASSET SET ZMODIFICATIONDATE = ZMODIFICATIONDATE + 1 WHERE Z_PK = \(index + 1);
            \(sql)
            """,
            in: source
        )
    }

    /// Writes another rendering of an edit.
    func editAgain(_ index: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path(library.original(0))))
        bytes.append(contentsOf: Array("another edit \(index)".utf8))
        try bytes.write(to: URL(fileURLWithPath: render(index)))
        try changeSource(
            index,
            """
            UPDATE ZASSET SET ZADJUSTMENTSSTATE = 2, ZADJUSTMENTTIMESTAMP = 7.2e8
            WHERE Z_PK = \(index + 1);
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZUNMANAGEDADJUSTMENT = 1
            WHERE ZASSET = \(index + 1);
            """
        )
    }

    func expectClean() throws { #expect(try world.findings() == []) }

    func isIncomplete(_ outcome: MigrationWorld.Outcome) -> Bool {
        outcome.totals.notes.contains { $0.level == .error }
    }

    /// Imports files as a person does from a card.
    func importPlainly(_ paths: [String]) throws {
        let session = try world.service.beginImport(ImportSessionRequest()).session
        defer { try? world.service.endImport(ImportEndRequest(session: session)) }
        let files = try paths.map { path in
            try #require(FileHandle(forReadingAtPath: path))
        }
        let sources = paths.map { path in
            SourceFile(
                path: Array(path.utf8),
                size: 0,
                modificationTime: 0,
                statusChangeTime: 0,
                inode: 0,
                device: 0
            )
        }
        _ = try world.service.importFiles(
            ImportFilesRequest(session: session, files: sources),
            files: files.map { Descriptor(owning: dup($0.fileDescriptor)) }
        )
        for file in files { try file.close() }
    }

    // MARK: - The source

    /// States in the source's database that a file exists.
    func stateFile(of index: Int, type: Int, version: Int, subtype: Int) throws {
        try library.execute(
            """
            INSERT INTO ZINTERNALRESOURCE (ZASSET, ZRESOURCETYPE, ZVERSION, ZDATASTORESUBTYPE)
            VALUES (\(index + 1), \(type), \(version), \(subtype));
            """,
            in: source
        )
    }

    /// Changes a text of an asset in the source, as Photos does.
    func setTitle(_ index: Int, _ title: String) throws {
        try changeSource(
            index,
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = '\(title)' WHERE ZASSET = \(index + 1);
            """
        )
    }

    /// Reverts an edit in the source.
    func revertInSource(_ index: Int) throws {
        try FileManager.default.removeItem(atPath: render(index))
        try changeSource(
            index,
            """
            UPDATE ZASSET SET ZADJUSTMENTSSTATE = 0, ZADJUSTMENTTIMESTAMP = NULL
            WHERE Z_PK = \(index + 1);
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZUNMANAGEDADJUSTMENT = NULL
            WHERE ZASSET = \(index + 1);
            """
        )
    }

    /// Copies the source with its times.
    func copySource(to name: String) throws -> URL {
        let copy = world.folder.file(name)
        let output = try ProcessRunner.run("cp", ["-a", source.path, copy.path])
        try #require(output.status == 0, "\(output.errorText)")
        return copy
    }

    // MARK: - The library

    /// Returns what a library has, without row ids and times of changes.
    func content(of world: MigrationWorld? = nil) throws -> [String] {
        let world = world ?? self.world
        let assets = try world.rows("SELECT * FROM asset ORDER BY uuid").map { row in
            row.filter { !["id", "modificationDate", "contentVersion"].contains($0.0) }
                .map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        }
        let files = try world.rows(
            """
            SELECT a.uuid, r.type, r.originalFilename, hex(r.sha256) FROM resource r
            JOIN asset a ON a.id = r.assetId ORDER BY 1, 2, 3, 4
            """
        )
        let albums = try world.rows(
            """
            SELECT c.uuid, c.title, a.uuid FROM collection c
            LEFT JOIN albumAsset j ON j.albumId = c.id LEFT JOIN asset a ON a.id = j.assetId
            ORDER BY c.uuid, j.position, a.id
            """
        )
        return assets + (files + albums).map { "\(Array($0.databaseValues))" }
    }

    /// Returns the text of the sidecar that the import made; nil for none.
    func sidecar(of index: Int) throws -> String? {
        let texts = try sidecars(of: index)
        #expect(texts.count <= 1)
        return texts.first
    }

    /// Returns the documents that imports made for an asset, in the order of their imports.
    func sidecars(of index: Int) throws -> [String] {
        let paths = try world.rows(
            """
            SELECT r.path FROM resource r JOIN asset a ON a.id = r.assetId
            WHERE a.uuid = ? AND r.originalFilename = ? ORDER BY r.id
            """,
            [library.uuid(index), MigrationSidecar.name]
        )
        return try paths.map { row in
            try String(
                contentsOfFile: world.libraryPath + "/" + (row[0] as String),
                encoding: .utf8
            )
        }
    }
}
