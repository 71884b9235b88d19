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

    /// The minimum size in bytes of a file whose download can be continued after an interruption.
    ///
    /// The part to continue costs the creation, the lock and the move of a file with a name of its
    /// own. Of a smaller file, fewer than eight frames could be kept.
    private static let minimumResumableSize: Int64 = 8 << 20

    /// Returns the time limit of a transfer: one minute plus the time that it takes at 64 KiB/s.
    static func timeout(of size: Int64) -> Duration { .seconds(60 + size >> 16) }

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

    /// Reads the object of a blob and returns whether it matches the record; nil if the object is
    /// missing.
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

    // MARK: - Downloads

    /// Downloads a file, decrypts and checks it, and places it in the library.
    ///
    /// Bytes that fail a check never reach the library. If the download of a large file was
    /// interrupted, also in another process, it continues after the frames that were verified. What
    /// a failure leaves is a part, which later downloads continue. It is complete if the library
    /// stays busy.
    ///
    /// - Parameters:
    ///   - blob: The blob of the file.
    ///   - record: What is known of the blob.
    ///   - content: The SHA-256 of the file.
    ///   - progress: Receives the number of verified bytes. It begins with the kept ones, and
    ///     again at 0 if these turn out to be wrong.
    /// - Returns: `found` for a file that was placed, `missing` if the store or the library lacks
    ///   it, `damaged` if the bytes are not the expected ones.
    /// - Throws: The errors of the store and of the volume.
    func download(
        _ blob: BlobName,
        _ record: BlobRecord,
        of content: ContentID,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(LibraryError) -> StoreResult {
        let staging = try downloads.staging(of: engine)
        let download = BlobDownload(
            store: store,
            readers: downloads.readers,
            blob: blob,
            record: record,
            content: content,
            progress: progress
        )
        let isResumable = record.layout.size >= Self.minimumResumableSize
        let fetched = try await downloads.withSlot { () async throws(LibraryError) -> Fetched in
            if isResumable, let part = engine.downloadParts.open(blob) {
                return try await resume(download, part, in: staging)
            }
            return try await fetch(download, in: staging)
        }
        switch fetched {
        case .file(let file):
            do throws(LibraryError) {
                return try await place(content, file) ? .found(.blob(content)) : .missing
            } catch {
                // After any other error, the file is gone.
                if isResumable, error.code == .busy { engine.downloadParts.putBack(file, of: blob) }
                throw error
            }
        case .missing: return .missing
        case .refused: return .damaged
        }
    }

    /// The result of downloading a file without placing it.
    private enum Fetched {
        case file(StagedDownload)
        case missing
        case refused
    }

    /// Downloads a whole file, and keeps nothing of it if the download fails.
    private func fetch(
        _ download: BlobDownload,
        in staging: CloudStaging
    ) async throws(LibraryError) -> Fetched {
        let file = try staging.createFile()
        var isComplete = false
        defer { if !isComplete { file.discard() } }
        switch try await download.run(into: file.descriptor) {
        case .complete:
            isComplete = true
            return .file(file)
        case .missing: return .missing
        case .refused, .undelivered: return .refused
        }
    }

    /// Downloads the rest of a partly downloaded file.
    ///
    /// If the result is refused, the kept bytes may be the wrong ones, such as those that were not
    /// on the disk when the power failed. So the download starts from the beginning once. If the
    /// store does not deliver the rest, the whole object is downloaded into another file.
    ///
    /// The part is kept if the store fails. It is removed if the object is not the expected one,
    /// and if the volume fails, such as a full one.
    private func resume(
        _ download: BlobDownload,
        _ part: DownloadPart,
        in staging: CloudStaging
    ) async throws(LibraryError) -> Fetched {
        do throws(LibraryError) {
            let fetched = try await fetchRest(of: download, part, in: staging)
            // A file that was moved into the staging folder is no part any more, and stays.
            part.discard()
            return fetched
        } catch {
            // It is empty if the volume failed, and is then removed.
            part.keep()
            throw error
        }
    }

    private func fetchRest(
        of download: BlobDownload,
        _ part: DownloadPart,
        in staging: CloudStaging
    ) async throws(LibraryError) -> Fetched {
        var kept = download.record.layout.wholeFrames(in: part.size)
        while true {
            if kept == 0, !part.removeBytes() {
                part.discard()
                return try await fetch(download, in: staging)
            }
            switch try await download.run(into: part.descriptor, after: kept) {
            case .complete: return .file(try staging.adopt(part))
            case .refused where kept > 0: kept = 0
            case .undelivered: return try await fetch(download, in: staging)
            case .missing: return .missing
            case .refused: return .refused
            }
        }
    }

    /// Returns the number of bytes of a file that a download has to write.
    func remainingSize(of blob: BlobName, _ record: BlobRecord) -> Int64 {
        let size = record.layout.size
        guard size >= Self.minimumResumableSize else { return size }
        return max(0, size - engine.downloadParts.size(of: blob))
    }

    /// Reads and checks a randomly chosen frame of a blob.
    ///
    /// - Returns: `done` if the frame is intact, `missing` or `damaged`.
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
