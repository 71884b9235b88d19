import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Each deliberately violated invariant is detected and named.
@Suite(.timeLimit(.minutes(2))) struct VerifierTests {
    let world: LibraryWorld
    let record = LibraryWorld.record("IMG_0001.JPG")
    let resource: ResourceRecord
    let bytes = Array("not really a picture".utf8)

    init() throws {
        world = try LibraryWorld()
        resource = try world.insertWithFile(record, bytes: bytes)
    }

    private var file: String { world.store.bundle.absolutePath(of: resource.path) }

    private func verify(isFull: Bool = false, repairs: Bool = false) throws -> [Finding] {
        let verifier = Verifier(store: world.store)
        var findings: [Finding] = []
        var cursor: VerifyCursor?
        var progress = 0.0
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: isFull, repairs: repairs, cursor: cursor)
            )
            findings += reply.findings
            #expect(reply.progress >= progress)
            progress = reply.progress
            cursor = reply.next
        } while cursor != nil
        #expect(progress == 1)
        #expect(findings.allSatisfy { !$0.message.isEmpty && !$0.advice.isEmpty })
        return findings
    }

    @Test func aCompleteCheckIsRecordedAndNoOther() throws {
        let verifier = Verifier(store: world.store)
        let bundle = world.store.bundle
        let first = try verifier.verify(VerifyRequest(isFull: false, repairs: false))
        #expect(first.next?.tally?.version == (try world.store.currentVersion()))
        // From the middle on, as by a client that lost its place.
        var cursor = first.next
        cursor?.tally = nil
        while let place = cursor {
            cursor = try verifier.verify(
                VerifyRequest(isFull: false, repairs: false, cursor: place)
            ).next
        }
        #expect(LastCheckFile.read(of: bundle) == nil)
        try FileManager.default.removeItem(atPath: file)
        _ = try verify(isFull: true)
        let check = try #require(LastCheckFile.read(of: bundle))
        #expect(check.isFull && !check.repairs)
        #expect(check.tally.damages == 1)
        let folder = try FileManager.default.contentsOfDirectory(atPath: bundle.databaseFolder)
        #expect(!folder.contains { $0.hasSuffix(".new") })
        try Data("{".utf8).write(to: URL(fileURLWithPath: bundle.checked))
        #expect(LastCheckFile.read(of: bundle) == nil)
    }

    @Test func soundLibraryHasNoFindings() throws {
        #expect(try verify(isFull: true) == [])
    }

    @Test func missingFileIsDamageThatNamesAssetAndPath() throws {
        try FileManager.default.removeItem(atPath: file)
        let finding = try #require(try verify().first)
        #expect(finding.severity == .damage)
        #expect(finding.kind == "missingFile")
        #expect(finding.path == file)
        #expect(finding.localIdentifier == record.localIdentifier)
        #expect(finding.advice.contains(resource.sha256))
    }

    @Test func whatIsNoFileIsFoundAndNotWaitedFor() throws {
        try FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect(try verify(isFull: true).map(\.kind) == ["unreadableFile"])
    }

    @Test func shorterFileIsFoundWithoutReading() throws {
        try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: file))
        #expect(try verify().map(\.kind) == ["wrongSize"])
    }

    @Test func changedByteIsFoundByReading() throws {
        var changed = bytes
        changed[3] ^= 1
        try Data(changed).write(to: URL(fileURLWithPath: file))
        #expect(try verify() == [])
        #expect(try verify(isFull: true).map(\.kind) == ["wrongBytes"])
    }

    @Test func leftoverIsANoteAndIsMovedAsideByRepair() throws {
        let path = world.path + "/originals/0a/LEFT.jpg"
        try FileManager.default.createDirectory(
            atPath: world.path + "/originals/0a",
            withIntermediateDirectories: true
        )
        try Data("left".utf8).write(to: URL(fileURLWithPath: path))
        let found = try verify()
        #expect(found.map(\.kind) == ["leftoverFile"])
        #expect(found.map(\.severity) == [.note])
        let repaired = try #require(try verify(repairs: true).first)
        #expect(repaired.isRepaired)
        let kept = try String(
            contentsOfFile: world.path + "/leftovers/originals/0a/LEFT.jpg",
            encoding: .utf8
        )
        #expect(kept == "left")
        #expect(try verify() == [])
    }

    @Test func whateverElseLiesThereIsNoted() throws {
        for name in ["top.jpg", "weird/y.jpg", "AB/z.jpg", "ab/deep/x.jpg"] {
            let file = URL(fileURLWithPath: world.path + "/originals/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("stray".utf8).write(to: file)
        }
        let found = try verify()
        #expect(found.allSatisfy { $0.severity == .note })
        #expect(
            Set(found.compactMap(\.path))
                == Set(
                    ["top.jpg", "weird", "AB", "ab/deep"].map { world.path + "/originals/" + $0 }
                )
        )
        #expect(try verify(repairs: true).allSatisfy(\.isRepaired))
        #expect(try verify() == [])
    }

    @Test(arguments: [
        ("UPDATE resource SET type = 9", "assetWithoutOriginal"),
        ("UPDATE asset SET mediaSubtypes = 8, contentIdentifier = 'C'", "halfLivePhoto"),
        ("UPDATE asset SET isBurstHidden = 1", "wrongVisibility"),
        ("UPDATE asset SET isHidden = 1", "wrongVisibility"),
        ("UPDATE asset SET burstIdentifier = 'B', burstSelectionTypes = 1", "burstWithoutKeyFrame"),
        ("UPDATE resource SET assetId = 99", "danglingReference"),
        ("UPDATE asset SET title = 'other'", "journalMismatch"),
    ])
    func brokenRowsAreFound(sql: String, kind: String) throws {
        try world.tamper(sql)
        let kinds = try verify().map(\.kind)
        #expect(kinds.contains(kind))
    }

    @Test func damagedPagesAreFound() throws {
        // Enough rows that a page in the middle contains some.
        try world.insert((0..<400).map { _ in LibraryWorld.record() })
        try world.store.close()
        let database = URL(fileURLWithPath: world.store.bundle.database)
        let page = try DatabaseQueue(path: database.path).read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'asset_addedDate'"
            )
        }
        var contents = try Data(contentsOf: database)
        let start = (try #require(page) - 1) * 4_096
        contents.replaceSubrange(start..<(start + 4_096), with: Data(repeating: 0xA5, count: 4_096))
        try contents.write(to: database)
        let reopened = try LibraryStore.open(at: world.path)
        let reply = try Verifier(store: reopened).verify(
            VerifyRequest(isFull: true, repairs: false)
        )
        #expect(reply.findings.contains { $0.kind == "damagedDatabase" })
    }
}
