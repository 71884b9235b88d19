internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The encrypted files whose upload has not been confirmed.
///
///     original ──encrypted──▶ <blob> ──synced──▶ <blob>.record ──synced──▶ PUT ──confirmed──▶ gone
///
/// A repeated upload sends the same bytes, also after a crash: if a late request replaced them by
/// the same file under another key, nobody could read it. So a PUT begins only after the record is
/// durable, and a file without a record was never sent.
struct StagedUploads: Sendable {
    private let folder: String
    var keyring: EpochKeyring

    init(folder: String, keyring: EpochKeyring) {
        self.folder = folder
        self.keyring = keyring
    }

    /// Returns a blob's encrypted file and record; nil if the file has not been encrypted yet.
    func staged(_ blob: BlobName) throws(LibraryError) -> (file: Descriptor, record: BlobRecord)? {
        let path = path(of: blob)
        guard let sealed = try? Data(contentsOf: URL(fileURLWithPath: path + ".record")) else {
            return nil
        }
        let record = try keys { () throws(CloudKeyError) in
            let (content, _) = try SealedObject.open(
                Array(sealed),
                named: name(blob),
                purpose: .state,
                keys: keyring
            )
            return try BlobRecord(decoding: content, of: blob)
        }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else {
            throw SystemError.last("open", path: path)
                .libraryError("An encrypted file that is being uploaded cannot be read.")
        }
        return (Descriptor(owning: number), record)
    }

    /// Encrypts a file for uploading and stores the blob's record durably.
    ///
    /// - Returns: The encrypted file and its record; nil for a file that is damaged: it cannot be
    ///   read, or its SHA-256 is not `content`.
    func stage(
        _ original: Descriptor,
        _ content: ContentID,
        as blob: BlobName
    ) throws(LibraryError) -> (file: Descriptor, record: BlobRecord)? {
        let path = path(of: blob)
        let file = try Self.written { () throws(SystemError) in
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw .last("mkdir", path: folder)
            }
            let flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
            let number = open(path, flags, 0o600)
            guard number >= 0 else { throw .last("open", path: path) }
            return Descriptor(owning: number)
        }
        let record: BlobRecord
        do throws(CloudKeyError) {
            var generator = SystemRandomNumberGenerator()
            record = try BlobSealer.seal(
                original.number,
                to: file.number,
                as: blob,
                content: content,
                using: &generator
            )
        } catch  where [.wrongContent, .unreadableOriginal].contains(error.code) {
            unlink(path)
            return nil
        } catch {
            throw LibraryError(error)
        }
        let sealed = try keys { () throws(CloudKeyError) in
            try SealedObject.seal(
                record.encoded,
                named: name(blob),
                purpose: .state,
                epoch: keyring.current
            )
        }
        try Self.written { () throws(SystemError) in
            guard fsync(file.number) == 0 else { throw .last("fsync", path: path) }
            let name = blob.id.hexadecimal + ".record"
            try StateFolder(folder).replace(name, with: Data(sealed))
        }
        return (file, record)
    }

    /// Encrypts a file to the exact bytes that a record describes, to replace the object in the
    /// store.
    ///
    /// The encrypted file has no name, so nothing of it remains after a crash.
    func restage(
        _ original: Descriptor,
        _ content: ContentID,
        as blob: BlobName,
        _ record: BlobRecord
    ) throws(LibraryError) -> Descriptor {
        let path = path(of: blob) + ".repair"
        let file = try Self.written { () throws(SystemError) in
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw .last("mkdir", path: folder)
            }
            _ = unlink(path)
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard number >= 0 else { throw .last("open", path: path) }
            _ = unlink(path)
            return Descriptor(owning: number)
        }
        try keys { () throws(CloudKeyError) in
            try BlobSealer.sealAgain(
                original.number,
                to: file.number,
                as: blob,
                content: content,
                record
            )
        }
        return file
    }

    private static func written<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(LibraryError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw error.libraryError("A photo cannot be encrypted for its upload.")
        }
    }

    /// Removes the encrypted files of all blobs that are not in `open`, the set of unconfirmed
    /// uploads.
    func removeFinished(_ open: Set<BlobName>) {
        let kept = Set(open.map { $0.id.hexadecimal })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where !kept.contains(name.replacing(".record", with: "")) {
            unlink(folder + "/" + name)
        }
    }

    private func path(of blob: BlobName) -> String { folder + "/" + blob.id.hexadecimal }

    private func name(_ blob: BlobName) -> String { "upload/" + blob.id.hexadecimal }
}
