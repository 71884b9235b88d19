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

    /// Prepares an upload as a process that starts does.
    private func prepare(_ bytes: Data, as content: ContentID) throws -> StagedUploads.Preparation {
        let earlier: BlobRecord? =
            switch try uploads.earlier(blob) {
            case .begun(let record): record
            case .none, .unreadable: nil
            }
        return try uploads.stage(original(bytes), content, as: blob, earlier)
    }

    private func ready(
        _ bytes: Data,
        as content: ContentID
    ) throws -> (file: Descriptor, record: BlobRecord) {
        guard case .ready(let file, let record) = try prepare(bytes, as: content) else {
            throw CancellationError()
        }
        return (file, record)
    }

    private func contents(of file: Descriptor) throws -> [UInt8] {
        let copy = try OpenFile.duplicate(file.number)
        return try copy.read(at: 0, count: Int(copy.status().st_size))
    }

    @Test(arguments: [0, 1, 1 << 20, 3 << 20 + 17])
    func eachAttemptSendsTheSameBytes(size: Int) throws {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let content = try content(of: bytes)
        let first = try ready(bytes, as: content)
        let second = try ready(bytes, as: content)
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
        let first = try ready(bytes, as: content)
        for changed in [Data("another one!".utf8), Data()] {
            guard case .damaged = try prepare(changed, as: content) else {
                Issue.record("\(changed.count) bytes are not damaged.")
                continue
            }
        }
        let last = try ready(bytes, as: content)
        #expect(try contents(of: first.file) == contents(of: last.file))
    }

    /// Another key would make the object of an earlier attempt unreadable.
    @Test func anUnreadableRecordStopsTheUpload() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        #expect(try uploads.earlier(blob) == .none)
        let made = try ready(bytes, as: content).record
        #expect(try uploads.earlier(blob) == .begun(made))
        var damaged = try Data(contentsOf: record)
        damaged[damaged.count - 1] ^= 1
        try damaged.write(to: record)
        #expect(try uploads.earlier(blob) == .unreadable)
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
        let error = #expect(throws: LibraryError.self) { try uploads.earlier(blob) }
        #expect(error?.code == .inputOutput)
    }

    /// An original that yields other bytes than those of a record is neither sent nor called
    /// damaged.
    @Test func otherBytesAreNotSent() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        var encoded = try ready(bytes, as: content).record.encoded
        encoded[encoded.count - 1] ^= 1
        let other = try BlobRecord(decoding: encoded, of: blob)
        guard case .irreproducible = try uploads.stage(original(bytes), content, as: blob, other)
        else { throw CancellationError() }
    }

    /// The record of a confirmed upload is removed, with the encrypted file that earlier versions
    /// stored; those of others stay.
    @Test func recordsEndWithTheirUploads() throws {
        let bytes = Data("the original".utf8)
        let content = try content(of: bytes)
        _ = try ready(bytes, as: content)
        let earlier = record.deletingPathExtension()
        try Data("encrypted".utf8).write(to: earlier)
        uploads.removeFinished([blob])
        #expect(Set(names) == [record.lastPathComponent, earlier.lastPathComponent])
        uploads.removeFinished([])
        #expect(names.isEmpty)
    }
}
