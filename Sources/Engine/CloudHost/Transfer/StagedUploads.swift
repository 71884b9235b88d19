internal import CLinuxShim
internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The encryption of files for their upload, and the records of the uploads that have not been
/// confirmed.
///
///     original ──encrypted──▶ unnamed file ──▶ <blob>.record ──synced──▶ PUT ──confirmed──▶ gone
///
/// A repeated upload sends the same bytes, also after a crash: if a late request replaced them by
/// the same file under another key, nobody could read it. So a PUT begins only after the record is
/// durable, which has the key and the SHA-256 of the encrypted file. A later attempt encrypts the
/// original with that key again, and sends the result only if it has that SHA-256. Otherwise, the
/// file is uploaded under another name later.
struct StagedUploads: Sendable {
    private let folder: String
    var keyring: EpochKeyring

    init(folder: String, keyring: EpochKeyring) {
        self.folder = folder
        self.keyring = keyring
    }

    /// The result of preparing a file for its upload.
    enum Preparation {
        /// The encrypted file can be sent.
        case ready(file: Descriptor, record: BlobRecord)
        /// The original cannot be read, or is not the file that was added.
        case damaged
        /// The original is intact, but its encryption does not yield the bytes of an earlier
        /// attempt.
        case irreproducible
    }

    /// Encrypts a file for uploading, so that each attempt yields the same encrypted bytes.
    ///
    /// The encrypted file has no name, so nothing of it remains after a crash. Its record is
    /// durable.
    ///
    /// - Parameters:
    ///   - original: The file.
    ///   - content: The SHA-256 that it must have.
    ///   - blob: The name of the blob.
    ///   - earlier: The record of an earlier attempt; nil if there was none.
    /// - Returns: The encrypted file, or why it cannot be sent.
    /// - Throws: The errors of the volume.
    func stage(
        _ original: Descriptor,
        _ content: ContentID,
        as blob: BlobName,
        _ earlier: BlobRecord?
    ) throws(LibraryError) -> Preparation {
        let file = try unnamedFile()
        let record: BlobRecord
        do throws(CloudKeyError) {
            record = try Self.encrypt(original, to: file, content, as: blob, earlier)
        } catch {
            switch error.code {
            case .wrongContent, .unreadableOriginal: return .damaged
            case .irreproducible: return .irreproducible
            default: throw LibraryError(error)
            }
        }
        if earlier == nil { try store(record, of: blob) }
        return .ready(file: file, record: record)
    }

    /// Encrypts a file to the exact bytes that a record describes, to replace the object in the
    /// store.
    func restage(
        _ original: Descriptor,
        _ content: ContentID,
        as blob: BlobName,
        _ record: BlobRecord
    ) throws(LibraryError) -> Descriptor {
        let file = try unnamedFile()
        _ = try keys { () throws(CloudKeyError) in
            try Self.encrypt(original, to: file, content, as: blob, record)
        }
        return file
    }

    /// Encrypts a file with the key of `earlier`, or with a new key if `earlier` is nil.
    private static func encrypt(
        _ original: Descriptor,
        to file: Descriptor,
        _ content: ContentID,
        as blob: BlobName,
        _ earlier: BlobRecord?
    ) throws(CloudKeyError) -> BlobRecord {
        if let earlier {
            try BlobSealer.sealAgain(
                original.number,
                to: file.number,
                as: blob,
                content: content,
                earlier
            )
            return earlier
        }
        var generator = SystemRandomNumberGenerator()
        return try BlobSealer.seal(
            original.number,
            to: file.number,
            as: blob,
            content: content,
            using: &generator
        )
    }

    // MARK: - Files

    /// The state of a blob's upload before an attempt.
    enum Earlier: Equatable {
        /// No attempt has begun.
        case none
        /// An attempt may have begun, with the key of the record.
        case begun(BlobRecord)
        /// An attempt may have begun, with a key that is lost.
        case unreadable
    }

    /// Returns the state in which earlier attempts have left the upload of a blob.
    ///
    /// - Throws: `inputOutput` if the record cannot be read, since another key must not be used
    ///   under the same name.
    func earlier(_ blob: BlobName) throws(LibraryError) -> Earlier {
        let path = folder + "/" + Self.recordName(blob)
        let sealed: Data
        do {
            sealed = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return .none
        } catch {
            throw LibraryError(
                .inputOutput,
                "The record of an upload that has begun cannot be read.",
                reason: "\(error)",
                recovery: "Check the volume of the library and try again.",
                path: path
            )
        }
        do throws(CloudKeyError) {
            let (content, _) = try SealedObject.open(
                Array(sealed),
                named: name(blob),
                purpose: .state,
                keys: keyring
            )
            return .begun(try BlobRecord(decoding: content, of: blob))
        } catch {
            return .unreadable
        }
    }

    /// Stores a blob's record durably.
    private func store(_ record: BlobRecord, of blob: BlobName) throws(LibraryError) {
        let sealed = try keys { () throws(CloudKeyError) in
            try SealedObject.seal(
                record.encoded,
                named: name(blob),
                purpose: .state,
                epoch: keyring.current
            )
        }
        try Self.written { () throws(SystemError) in
            try StateFolder(folder).replace(Self.recordName(blob), with: Data(sealed))
        }
    }

    /// Creates a file without a name in the folder; the file disappears when it is closed.
    private func unnamedFile() throws(LibraryError) -> Descriptor {
        try Self.written { () throws(SystemError) in
            if mkdir(folder, 0o700) == 0 {
                try PrivateFile.sync(folder: (folder as NSString).deletingLastPathComponent)
            } else if errno != EEXIST {
                throw .last("mkdir", path: folder)
            }
            let unnamed = cphotos_nameless_file(folder)
            if unnamed >= 0 { return Descriptor(owning: unnamed) }
            // Not all file systems have files without a name.
            let path = folder + "/.\(UUID().uuidString)"
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard number >= 0 else { throw .last("open", path: path) }
            _ = unlink(path)
            return Descriptor(owning: number)
        }
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

    /// Removes the files of all uploads except those in `open`, which are not confirmed yet.
    ///
    /// These files are records, and encrypted files that earlier versions of this software left.
    func removeFinished(_ open: Set<BlobName>) {
        let kept = Set(open.map { $0.id.hexadecimal[...] })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where !kept.contains(name.prefix { $0 != "." }) {
            unlink(folder + "/" + name)
        }
    }

    private static func recordName(_ blob: BlobName) -> String { blob.id.hexadecimal + ".record" }

    /// Returns the name to which the encryption of a blob's record is bound, so that the record
    /// cannot be decrypted as that of another blob.
    private func name(_ blob: BlobName) -> String { "upload/" + blob.id.hexadecimal }
}
