import CloudKeys
import CloudSync
import Foundation
import Glibc
import LibraryService
import ObjectStorage
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudHost

/// Encrypted files and the records of their keys: attempts of one upload, also after a crash.
@Suite(.timeLimit(.minutes(1))) struct StagedUploadsTests {
    private let folder: TemporaryFolder
    private let keyring: EpochKeyring
    private let blob = BlobName(device: CloudID(1, 2), id: CloudID(3, 4))

    init() throws {
        folder = try TemporaryFolder("photos-uploads")
        var generator = SeededGenerator(seed: 6)
        keyring = EpochKeyring(EpochKey(library: CloudID(1, 1), using: &generator))
    }

    /// As a process that starts finds it.
    private var uploads: StagedUploads {
        StagedUploads(folder: folder.path + "/uploads", keyring: keyring)
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/uploads")) ?? []
    }

    private var record: URL {
        folder.url.appendingPathComponent("uploads/\(blob.id.hexadecimal).record")
    }

    private func original(_ bytes: Data) throws -> Descriptor {
        let url = folder.url.appendingPathComponent("original")
        try bytes.write(to: url)
        return Descriptor(owning: open(url.path, O_RDONLY | O_CLOEXEC))
    }

    private func content(of bytes: Data) throws -> ContentID {
        let hasher = MessageHasher(.sha256)
        hasher.update(Array(bytes))
        return try #require(ContentID(bytes: hasher.finish()))
    }

    private func contents(of file: Descriptor) throws -> [UInt8] {
        let copy = try OpenFile.duplicate(file.number)
        return try copy.read(at: 0, count: Int(copy.status().st_size))
    }

    @Test(arguments: [0, 1, 1 << 20, 3 << 20 + 17])
    func eachAttemptSendsTheSameBytes(size: Int) throws {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let content = try content(of: bytes)
        let first = try #require(try uploads.stage(original(bytes), content, as: blob))
        let second = try #require(try uploads.stage(original(bytes), content, as: blob))
        #expect(first.record == second.record)
        #expect(try contents(of: first.file) == contents(of: second.file))
        #expect(try contents(of: first.file).count == Int(first.record.layout.sealedSize))
        // The encrypted files have no names.
        #expect(names == [record.lastPathComponent])
    }

    /// A file that changed is not sent, and its former bytes are the same as before when they
    /// return.
    @Test func aChangedOriginalIsNotSent() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        let first = try #require(try uploads.stage(original(bytes), content, as: blob))
        #expect(try uploads.stage(original(Data("another one!".utf8)), content, as: blob) == nil)
        #expect(try uploads.stage(original(Data()), content, as: blob) == nil)
        let last = try #require(try uploads.stage(original(bytes), content, as: blob))
        #expect(try contents(of: first.file) == contents(of: last.file))
    }

    /// Another key would make the object of an earlier attempt unreadable.
    @Test func anUnreadableRecordStopsTheUpload() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        _ = try uploads.stage(original(bytes), content, as: blob)
        var damaged = try Data(contentsOf: record)
        damaged[damaged.count - 1] ^= 1
        try damaged.write(to: record)
        let error = #expect(throws: LibraryError.self) {
            try uploads.stage(original(bytes), content, as: blob)
        }
        #expect(error?.code == .networkError)
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
        let other = #expect(throws: LibraryError.self) {
            try uploads.stage(original(bytes), content, as: blob)
        }
        #expect(other?.code == .inputOutput)
    }

    /// The record of a confirmed upload is removed, with the encrypted file that earlier versions
    /// stored; those of others stay.
    @Test func recordsEndWithTheirUploads() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        _ = try uploads.stage(original(bytes), content, as: blob)
        let earlier = record.deletingPathExtension()
        try Data("encrypted".utf8).write(to: earlier)
        uploads.removeFinished([blob])
        #expect(Set(names) == [record.lastPathComponent, earlier.lastPathComponent])
        uploads.removeFinished([])
        #expect(names.isEmpty)
    }
}
