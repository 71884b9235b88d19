internal import CLinuxShim
internal import CloudKeys
internal import CloudSync
internal import Crypto
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The transfer of the files of originals and edits between the library and the store.
struct BlobTransfer: Sendable {
    let engine: LibraryEngine
    let store: any ObjectStore
    let uploads: StagedUploads
    let downloads: DownloadFolder

    /// Returns the time limit of a transfer: one minute plus the time that it takes at 64 KiB/s.
    private static func timeout(of size: Int64) -> Duration { .seconds(60 + size >> 16) }

    /// Encrypts a file and uploads it.
    ///
    /// - Returns: `stored`; `missing` if the library no longer has the file, or if it has to be
    ///   uploaded under another name; `damaged` if the file cannot be read or has other bytes than
    ///   when it was added.
    /// - Throws: The errors of the store and of the volume.
    func upload(
        _ content: ContentID,
        as blob: BlobName
    ) async throws(LibraryError) -> StoreResult {
        let earlier: BlobRecord?
        switch try uploads.earlier(blob) {
        case .none: earlier = nil
        case .begun(let record): earlier = record
        case .unreadable: return .missing
        }
        let failure: StoreResult
        switch try prepare(content, as: blob, earlier) {
        case .ready(let file, let record):
            try await put(file, as: blob, record, mode: .create)
            return .stored(key: record.encoded)
        case .damaged: failure = .damaged
        case nil, .irreproducible: failure = .missing
        }
        // The earlier attempt may have succeeded, and the store's copy may be the only whole one.
        guard let earlier, try await isStored(blob, earlier) == true else { return failure }
        return .stored(key: earlier.encoded)
    }

    /// Encrypts a file for its upload; returns nil if the library no longer has it.
    private func prepare(
        _ content: ContentID,
        as blob: BlobName,
        _ earlier: BlobRecord?
    ) throws(LibraryError) -> StagedUploads.Preparation? {
        let original: Descriptor?
        do throws(LibraryError) { original = try engine.openContent(content) } catch {
            guard error.concernsFile else { throw error }
            return .damaged
        }
        guard let original else { return nil }
        return try uploads.stage(original, content, as: blob, earlier)
    }

    /// Reads the object of a blob, and returns whether it is the one that the record describes; nil
    /// if it is missing.
    ///
    /// - Throws: The errors of the store.
    func isStored(
        _ blob: BlobName,
        _ record: BlobRecord
    ) async throws(LibraryError) -> Bool? {
        let hash = RunningHash()
        do throws(ObjectStoreError) {
            _ = try await store.get(
                try ObjectKey(ObjectName.blob(blob).description),
                range: nil,
                limit: record.layout.sealedSize,
                timeout: Self.timeout(of: record.layout.sealedSize)
            ) { piece in hash.update(piece) }
        } catch {
            switch error.code {
            case .notFound: return nil
            case .tooLarge: return false
            default: throw LibraryError(error)
            }
        }
        return hash.value == record.objectHash
    }

    /// Uploads the object of a blob again, with the same bytes as before.
    ///
    /// - Parameters:
    ///   - content: The SHA-256 of the file.
    ///   - blob: The name of the blob.
    ///   - record: The key of the blob, and the SHA-256 of its object.
    /// - Returns: False if the file is not here.
    /// - Throws: `networkError` if the file that is here does not yield that object; the errors of
    ///   the store and of the volume.
    func restore(
        _ content: ContentID,
        as blob: BlobName,
        _ record: BlobRecord
    ) async throws(LibraryError) -> Bool {
        guard let original = try engine.openContent(content) else { return false }
        let file = try uploads.restage(original, content, as: blob, record)
        try await put(file, as: blob, record, mode: .replace)
        return true
    }

    /// Sends an encrypted file to the store.
    private func put(
        _ file: Descriptor,
        as blob: BlobName,
        _ record: BlobRecord,
        mode: PutMode
    ) async throws(LibraryError) {
        let size = record.layout.sealedSize
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            _ = try await store.put(
                try ObjectKey(ObjectName.blob(blob).description),
                from: try ObjectSource(descriptor: file.number, range: 0..<size),
                mode: mode,
                timeout: Self.timeout(of: size)
            )
        }
    }

    /// Downloads a file, decrypts and checks it, and places it in the library.
    ///
    /// Bytes that fail a check never reach the library.
    ///
    /// - Parameters:
    ///   - blob: The blob of the file.
    ///   - record: What is known of the blob.
    ///   - content: The SHA-256 of the file.
    ///   - progress: Gets the number of verified bytes.
    /// - Returns: `found` for a file that was placed, `missing` if the store or the library lacks
    ///   it, `damaged` if the bytes are not the promised ones.
    /// - Throws: The errors of the store and of the volume.
    func download(
        _ blob: BlobName,
        _ record: BlobRecord,
        of content: ContentID,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(LibraryError) -> StoreResult {
        let file = try downloads.staging(of: engine).createFile()
        let size = record.layout.sealedSize
        let receiver = Receiver(blob, record, of: content, to: file.descriptor)
        do throws(ObjectStoreError) {
            _ = try await store.get(
                try ObjectKey(ObjectName.blob(blob).description),
                range: nil,
                limit: size,
                timeout: Self.timeout(of: size)
            ) { piece in progress(try await receiver.receive(piece)) }
        } catch {
            file.discard()
            // The receiver's own error says more than that it failed.
            if let problem = await receiver.problem { return try Self.result(of: problem) }
            switch error.code {
            case .notFound: return .missing
            // Another object than the one that was written.
            case .tooLarge: return .damaged
            default: throw LibraryError(error)
            }
        }
        do throws(CloudKeyError) {
            try await receiver.finish()
        } catch {
            file.discard()
            return try Self.result(of: error)
        }
        return try await place(content, file) ? .found(.blob(content)) : .missing
    }

    /// Reads and checks a randomly chosen frame of a blob.
    ///
    /// - Returns: `done` if it is the promised one, `missing` or `damaged`.
    /// - Throws: The errors of the store.
    func check(_ blob: BlobName, _ record: BlobRecord) async throws(LibraryError) -> StoreResult {
        let number = Int64.random(in: 0..<record.layout.frameCount)
        let range = record.layout.sealedRange(of: number)
        let header, frame: [UInt8]
        do throws(ObjectStoreError) {
            header = try await part(of: blob, 0..<Int64(BlobLayout.headerSize))
            frame = try await part(of: blob, range)
        } catch {
            switch error.code {
            case .notFound: return .missing
            case .rangeNotSatisfiable, .tooLarge: return .damaged
            default: throw LibraryError(error)
            }
        }
        do throws(CloudKeyError) {
            let opener = try BlobOpener(blob, record: record, header: header)
            _ = try opener.open(Data(frame), frame: number)
            return .done
        } catch {
            return .damaged
        }
    }

    private func part(
        of blob: BlobName,
        _ range: Range<Int64>
    ) async throws(ObjectStoreError) -> [UInt8] {
        try await store.bytes(
            of: try ObjectKey(ObjectName.blob(blob).description),
            range: range,
            limit: range.count,
            timeout: Self.timeout(of: Int64(range.count))
        )
    }

    /// Returns the result of a download whose bytes were rejected.
    ///
    /// A later download of another blob of the same content may succeed.
    private static func result(of problem: CloudKeyError) throws(LibraryError) -> StoreResult {
        guard problem.code == .inputOutput else { return .damaged }
        throw LibraryError(problem)
    }

    /// The receiver of a download's pieces, which decrypts them in order.
    ///
    /// It starts writing the file to the disk while more of it arrives, so that little is left to
    /// write when the file is synced.
    private actor Receiver {
        private let file: Descriptor
        private var receiver: BlobReceiver
        private(set) var problem: CloudKeyError?
        /// The number of bytes whose writing to the disk has been started.
        private var started: Int64 = 0

        private static let writeBackStep: Int64 = 8 << 20

        init(_ blob: BlobName, _ record: BlobRecord, of content: ContentID, to file: Descriptor) {
            self.file = file
            receiver = BlobReceiver(blob, record: record, content: content, to: file.number)
        }

        func receive(_ piece: [UInt8]) throws(CloudKeyError) -> Int64 {
            do throws(CloudKeyError) {
                try receiver.receive(piece)
            } catch {
                problem = error
                throw error
            }
            let verified = receiver.verified
            if verified - started >= Self.writeBackStep { startWriteBack() }
            return verified
        }

        func finish() throws(CloudKeyError) {
            try receiver.finish()
            startWriteBack()
        }

        private func startWriteBack() {
            let verified = receiver.verified
            guard verified > started else { return }
            _ = cphotos_start_write_back(file.number, started, verified - started)
            started = verified
        }
    }

    /// Copies a file that is already in the library to the photos that lack its content.
    ///
    /// - Returns: False if none is here.
    func copy(_ content: ContentID) async throws(LibraryError) -> Bool {
        let staging = try downloads.staging(of: engine)
        guard let copy = try engine.copyOfContent(content, in: staging) else { return false }
        _ = try await place(content, copy)
        return true
    }

    private func place(
        _ content: ContentID,
        _ file: StagedDownload
    ) async throws(LibraryError) -> Bool {
        var attempts = 0
        while true {
            do throws(LibraryError) {
                return try await downloads.placement.place(
                    FinishedDownload(content: content, file: file),
                    in: engine
                )
            } catch  where error.code == .busy && attempts < 3 {
                attempts += 1
            }
        }
    }
}

/// A SHA-256 hash that is computed incrementally.
private final class RunningHash: Sendable {
    private let hash = Monitor(SHA256())

    func update(_ piece: [UInt8]) { hash.update { $0.update(data: piece) } }

    var value: [UInt8] { Array(hash.withLock { $0.finalize() }) }
}

/// The temporary folder of downloads, which exists only while files are downloaded.
final class DownloadFolder: Sendable {
    private let folder = Monitor<CloudStaging?>(nil)
    let placement = DownloadPlacement()

    func staging(of engine: LibraryEngine) throws(LibraryError) -> CloudStaging {
        if let staging = folder.withLock(\.self) { return staging }
        let made = try engine.cloudStaging()
        return folder.update { staging in
            if let staging { return staging }
            staging = made
            return made
        }
    }

    /// Removes the folder and all files in it that were not placed in the library.
    func end() {
        folder.update { staging in
            staging?.end()
            staging = nil
        }
    }
}
