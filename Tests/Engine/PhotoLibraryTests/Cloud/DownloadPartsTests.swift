import CloudSync
import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The parts of files whose downloads were interrupted.
@Suite(.timeLimit(.minutes(2))) struct DownloadPartsTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let blob = BlobName(device: CloudID(1, 2), id: CloudID(3, 4))

    init() throws {
        folder = try TemporaryFolder("photos-parts")
        let path = folder.file("Test.photolibrary").path
        try LibraryStore.create(at: path)
        store = try LibraryStore.open(at: path)
    }

    private var parts: DownloadParts { store.downloadParts }

    private var place: URL { URL(fileURLWithPath: store.bundle.staging + "/cloud") }

    private var file: URL {
        place.appendingPathComponent("\(blob.device.hexadecimal)-\(blob.id.hexadecimal).part")
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    }

    private func write(_ bytes: [UInt8], to part: DownloadPart) throws {
        try FileHandle(fileDescriptor: part.descriptor.number, closeOnDealloc: false)
            .write(contentsOf: bytes)
    }

    private func leavePart() throws {
        let part = try #require(parts.open(blob))
        try write([1, 2, 3], to: part)
        part.keep()
    }

    private func mode(of url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func aPartIsKeptForTheNextDownload() throws {
        #expect(parts.size(of: blob) == 0)
        try leavePart()
        #expect(names == [file.lastPathComponent])
        #expect(try mode(of: file) == 0o600)
        #expect(parts.size(of: blob) == 3)
        let part = try #require(parts.open(blob))
        #expect(part.size == 3)
        // Nobody else gets it meanwhile.
        #expect(parts.open(blob) == nil)
        part.keep()
        let again = try #require(parts.open(blob))
        #expect(again.removeBytes() && again.size == 0)
        again.discard()
        #expect(names.isEmpty)
    }

    /// The process may end without keeping or discarding its part.
    @Test func theLockEndsWithItsHolder() throws {
        do {
            let part = try #require(parts.open(blob))
            try write([1], to: part)
        }
        let size = parts.open(blob)?.size
        #expect(size == 1)
    }

    @Test func aPartWithoutBytesIsNotKept() throws {
        let part = try #require(parts.open(blob))
        #expect(names.count == 1)
        part.keep()
        #expect(names.isEmpty)
    }

    /// A complete part becomes an ordinary file of a staging session.
    @Test func aCompletePartIsMoved() throws {
        let staging = try store.cloudStaging()
        defer { staging.end() }
        let part = try #require(parts.open(blob))
        try write([1, 2, 3], to: part)
        let moved = try staging.adopt(part)
        #expect(names.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: moved.path)) == Data([1, 2, 3]))
        #expect(try mode(of: URL(fileURLWithPath: moved.path)) == 0o400)
        // Another download of the blob begins a part of its own.
        let other = try #require(parts.open(blob))
        #expect(other.size == 0)
        other.discard()
        moved.discard()
        #expect(!FileManager.default.fileExists(atPath: moved.path))
    }

    /// A file that could not be placed is a part again, which a later download can write.
    @Test func aFileThatIsNotPlacedIsKept() throws {
        let staging = try store.cloudStaging()
        let part = try #require(parts.open(blob))
        try write([1, 2, 3], to: part)
        let moved = try staging.adopt(part)
        part.discard()
        parts.putBack(moved, of: blob)
        // Neither the end of the file's use nor that of the session removes it.
        moved.discard()
        staging.end()
        #expect(names == [file.lastPathComponent])
        #expect(try mode(of: file) == 0o600)
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        let again = try #require(parts.open(blob))
        #expect(again.size == 3)
        again.discard()
        #expect(names.isEmpty)
    }

    /// A complete file replaces a part that nobody writes, and no other.
    @Test(arguments: [false, true]) func aFileReplacesNoPartInUse(isInUse: Bool) throws {
        let staging = try store.cloudStaging()
        defer { staging.end() }
        let part = try #require(parts.open(blob))
        try write([1, 2, 3], to: part)
        let moved = try staging.adopt(part)
        part.discard()
        let other = try #require(parts.open(blob))
        try write([1], to: other)
        if !isInUse { other.keep() }
        parts.putBack(moved, of: blob)
        let expected: [UInt8] = isInUse ? [1] : [1, 2, 3]
        #expect(try Data(contentsOf: file) == Data(expected))
        if isInUse { other.keep() }
        #expect(names.count == 1)
    }

    // MARK: - Removal

    @Test(arguments: [-8.0, 8.0]) func oldPartsAreRemovedByTheNextWriter(days: Double) throws {
        try leavePart()
        try store.clearStaging()
        #expect(names.count == 1)
        try FileManager.default.setAttributes(
            [.modificationDate: Date() + days * 86_400],
            ofItemAtPath: file.path
        )
        let held = try #require(parts.open(blob))
        try store.clearStaging()
        #expect(names.count == 1)
        held.keep()
        try store.clearStaging()
        #expect(names.isEmpty)
    }

    @Test func unneededPartsAreRemoved() throws {
        try leavePart()
        parts.clear { $0 == blob }
        #expect(names.count == 1)
        #expect(parts.size(of: blob) > 0)
        let held = try #require(parts.open(blob))
        // Nobody else can continue it.
        #expect(parts.size(of: blob) == 0)
        parts.clear { _ in false }
        #expect(names.count == 1)
        held.keep()
        parts.clear { _ in false }
        #expect(names.isEmpty)
    }

    @Test func allPartsAreRemovedEvenThoseInUse() throws {
        try leavePart()
        let held = try #require(parts.open(blob))
        parts.removeAll()
        #expect(!FileManager.default.fileExists(atPath: place.path))
        let staging = try store.cloudStaging()
        defer { staging.end() }
        #expect(throws: LibraryError.self) { try staging.adopt(held) }
        // Another download may have begun a part with the same name.
        let other = try #require(parts.open(blob))
        #expect(throws: LibraryError.self) { try staging.adopt(held) }
        #expect(names.count == 1)
        other.discard()
    }

    // MARK: - Other files

    @Test func filesOfOthersStay() throws {
        try leavePart()
        let other = place.appendingPathComponent("notes.part")
        try Data("notes".utf8).write(to: other)
        parts.clear { _ in false }
        parts.removeAll()
        #expect(names == ["notes.part"])
    }

    /// Neither a link nor a second name leads to the bytes of another file.
    @Test func linksAreNotFollowed() throws {
        let original = try folder.write(Data("original".utf8), to: "original")
        try leavePart()
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: original)
        #expect(parts.open(blob) == nil)
        parts.clear { _ in false }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.linkItem(at: original, to: file)
        let part = try #require(parts.open(blob))
        #expect(part.size == 0)
        part.discard()
        #expect(try Data(contentsOf: original) == Data("original".utf8))
    }

    @Test(arguments: [false, true]) func aCheckOfTheLibraryIgnoresParts(repairs: Bool) throws {
        try leavePart()
        let verifier = Verifier(store: store)
        var findings: [String] = []
        var cursor: VerifyCursor?
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: true, repairs: repairs, cursor: cursor)
            )
            findings += reply.findings.map(\.message)
            cursor = reply.next
        } while cursor != nil
        #expect(findings == [])
        #expect(names.count == 1)
    }
}
