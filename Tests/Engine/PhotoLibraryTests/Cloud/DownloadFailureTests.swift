import CloudSync
import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Downloads that cannot be placed, and the state after failures and crashes.
@Suite(.timeLimit(.minutes(5))) struct DownloadFailureTests {
    private typealias Pair = DownloadTests.Pair

    @Test func aPhotoThatIsGoneLeavesNothing() throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        try pair.here.store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: asset)).id
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        let staging = try pair.here.store.cloudStaging()
        let assets = try pair.place(content, staging)
        #expect(assets == [])
        let originals = try pair.originals()
        #expect(originals == [])
        #expect(pair.stagedFiles == [])
        staging.end()
        let findings = try pair.here.findings()
        #expect(findings == [])
    }

    @Test func aFileOfAnotherSizeIsRefused() throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        let staging = try pair.here.store.cloudStaging()
        defer { staging.end() }
        let file = try staging.createFile()
        try file.write(Data([1, 2, 3, 4]))
        let error = #expect(throws: LibraryError.self) {
            try pair.here.store.placeContent(content, from: file)
        }
        #expect(error?.code == .invalidResource)
        let presence = try pair.here.presence(of: asset)
        #expect(presence == [1])
        #expect(pair.stagedFiles == [])
    }

    @Test(
        arguments: [.syncFile, .recordIntentions, .createFolder, .rename, .syncFolder]
            as [FileOperations.Step]
    )
    func aFailureAtAnyStepChangesNothing(step: FileOperations.Step) throws {
        for (countdown, isPair) in [(0, false), (1, true)] {
            // The intentions of both files are recorded at once.
            if step == .recordIntentions, isPair { continue }
            let trip = ImportFailureTests.Trip(step, after: countdown) { EIO }
            var pair = try Pair(files: trip.files)
            let (asset, content) = try pair.importPhoto([1, 2, 3])
            if isPair {
                let copy = LibraryWorld.record("COPY.JPG")
                try pair.there.world.insertCopy(copy, of: asset, in: pair.there.store)
            }
            try pair.exchange()
            let staging = try pair.here.store.cloudStaging()
            defer { staging.end() }
            trip.arm()
            let error = #expect(throws: LibraryError.self) { try pair.place(content, staging) }
            #expect(error?.code == .inputOutput)
            let presence = try pair.here.presence(of: asset)
            #expect(presence == [1])
            let originals = try pair.originals()
            #expect(originals == [], "\(step) \(countdown)")
            #expect(pair.stagedFiles == [])
            // The same session continues when the disk works again.
            let assets = try pair.place(content, staging)
            #expect(assets.count == (isPair ? 2 : 1))
            let findings = try pair.here.findings()
            #expect(findings == [])
        }
    }

    @Test(arguments: [false, true])
    func aCrashBeforeTheCommitIsRepaired(isAdopted: Bool) throws {
        var pair = try Pair()
        let (asset, content) = try pair.importPhoto([1, 2, 3])
        try pair.exchange()
        let bundle = pair.here.store.bundle
        let (path, version) = try pair.here.store.read {
            (
                try #require(try String.fetchOne($0, sql: "SELECT path FROM resource")),
                try JournalWriter.currentVersion($0)
            )
        }
        let dead = bundle.staging + "/DEAD0000-0000-0000-0000-000000000000"
        let target = URL(fileURLWithPath: bundle.absolutePath(of: path))
        for folder in [dead, target.deletingLastPathComponent().path] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
        }
        try Data([1, 2, 3]).write(to: target)
        try Data("version \(version)\n\(path)\n".utf8)
            .write(to: URL(fileURLWithPath: dead + "/intentions"))
        if isAdopted {
            let staging = try pair.here.store.cloudStaging()
            let assets = try pair.place(content, staging)
            #expect(assets == [asset])
            staging.end()
        }
        let summary = try pair.here.store.clearStaging()
        let originals = try pair.originals()
        #expect(originals == (isAdopted ? [path] : []))
        #expect(isAdopted || summary.removedFiles == [path])
        let findings = try pair.here.findings()
        #expect(findings == [])
    }
}
