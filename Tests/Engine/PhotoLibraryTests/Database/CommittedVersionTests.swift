import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct CommittedVersionTests {
    let world: LibraryWorld
    private let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    init() throws { world = try LibraryWorld() }

    private var noted: CommittedVersion? { CommittedVersion(of: world.store.bundle) }

    private func bytes(_ version: Int64) -> [UInt8] {
        Array(CommittedVersion(libraryUUID: uuid, version: version).text.utf8)
    }

    @Test func eachCommitIsNoted() throws {
        #expect(noted == nil)
        for version in 1...3 {
            try world.insert(LibraryWorld.record())
            #expect(noted?.version == Int64(version))
        }
        #expect(noted?.libraryUUID == (try world.store.libraryUUID()))
        // A write that changes no object creates no version.
        _ = try world.store.historyHorizon(.init(days: 10))
        #expect(noted?.version == 3)
    }

    @Test func everyMixtureOfTwoNotesSaysNothing() {
        let (old, new) = (bytes(999), bytes(1_000))
        #expect(CommittedVersion(old)?.version == 999)
        #expect(CommittedVersion(new)?.version == 1_000)
        for cut in 1..<old.count {
            let torn = Array(new.prefix(cut)) + old.dropFirst(cut)
            if torn != old, torn != new { #expect(CommittedVersion(torn) == nil, "cut at \(cut)") }
            #expect(CommittedVersion(Array(new.prefix(cut))) == nil)
        }
    }

    @Test func foreignBytesAreNoNote() {
        let tail = [UInt8](repeating: 0xFF, count: 100)
        for bytes in [
            [], tail, Array("\u{301}".utf8) + tail, Array(String(repeating: " ", count: 90).utf8),
        ] {
            #expect(CommittedVersion(bytes) == nil)
        }
    }

    @Test func aPlantedLinkIsNotFollowed() throws {
        let victim = try world.folder.write(Data("mine".utf8), to: "victim")
        let changed = world.store.bundle.changed
        unlink(changed)
        #expect(symlink(victim.path, changed) == 0)
        try world.insert(LibraryWorld.record())
        #expect(try Data(contentsOf: victim) == Data("mine".utf8))
        #expect(noted == nil)
    }

    @Test func onlyASmallerVersionOfTheSameLibraryLacksChanges() {
        let noted = CommittedVersion(libraryUUID: uuid, version: 5)
        let present = { CommittedVersion(libraryUUID: $0, version: $1) }
        #expect(noted.missingVersion(in: present(uuid, 4)) == 5)
        #expect(noted.missingVersion(in: present(uuid, 5)) == nil)
        #expect(noted.missingVersion(in: present(uuid, 6)) == nil)
        #expect(noted.missingVersion(in: present("", 4)) == nil)
    }

    @Test func anOlderDatabaseOpensForReadingUntilItIsAccepted() throws {
        try world.insert(LibraryWorld.record())
        try world.store.close()
        let bundle = world.store.bundle
        let old = world.folder.path + "/old"
        try FileManager.default.copyItem(atPath: bundle.database, toPath: old)
        let store = try LibraryStore.open(at: world.path)
        try store.write(author: "test") { _ = try $0.insertAsset(LibraryWorld.record()) }
        try store.close()
        unlink(bundle.database)
        try FileManager.default.copyItem(atPath: old, toPath: bundle.database)

        let reading = try LibraryStore.open(at: world.path)
        #expect(reading.missingVersion == 2)
        #expect(try reading.currentVersion() == 1)
        let error = #expect(throws: LibraryError.self) {
            try reading.write(author: "test") { _ = try $0.insertAsset(LibraryWorld.record()) }
        }
        #expect(error?.code == .readOnly)
        #expect(error?.message.hasPrefix("Changes up to 2 are missing") == true)

        let accepted = try LibraryStore.open(at: world.path, acceptsMissingChanges: true)
        #expect(accepted.acceptedVersion == 2)
        #expect(noted?.version == 1)
        try accepted.write(author: "test") { _ = try $0.insertAsset(LibraryWorld.record()) }
        #expect(try LibraryStore.open(at: world.path).missingVersion == nil)
    }
}
