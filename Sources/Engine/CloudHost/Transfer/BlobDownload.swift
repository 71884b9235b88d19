internal import CLinuxShim
internal import CloudKeys
internal import CloudSync
internal import LibraryService
internal import ObjectStorage
internal import PhotoModel

/// The download of a blob into a file, which is decrypted and checked as it arrives.
///
///     kept frames ──read again──▶ SHA-256 ◀──decrypted── rest of the object
///                                    └──end──▶ complete, or refused
///
/// 1. A frame that fails a check is never written to the file.
/// 2. Kept frames are only requested again if the whole is refused. They are not trusted: the
///    SHA-256 of the whole file includes them as they are in the file.
/// 3. The file is empty if the object was refused or the volume failed. Otherwise it begins with
///    all frames that were verified, in order.
struct BlobDownload: Sendable {
    /// The result of a download whose requests succeeded.
    enum Outcome {
        /// The file has the expected content.
        case complete
        /// The store lacks the object.
        case missing
        /// The object or the kept frames do not yield the expected file.
        case refused
        /// The store did not deliver the rest of the object, but may deliver the whole object.
        ///
        /// The kept frames may still be correct.
        case undelivered
    }

    let store: any ObjectStore
    let blob: BlobName
    let record: BlobRecord
    /// The SHA-256 of the file.
    let content: ContentID
    /// Receives the number of verified bytes.
    let progress: @Sendable (Int64) -> Void

    /// The number of kept frames that are read between two checks for cancellation of the task.
    private static let framesAtOnce: Int64 = 16

    /// The errors with which a request for a part may fail although a request for the whole object
    /// succeeds.
    private static let partFailures: Set<ObjectStoreError.Code> = [
        .rangeNotSatisfiable, .damaged, .unsupported, .unexpectedAnswer, .tooLarge,
    ]

    /// Downloads and checks the file.
    ///
    /// - Parameters:
    ///   - file: The file, open for reading and writing.
    ///   - kept: The number of frames at its beginning that an earlier download has written. With
    ///     0, the file must be empty.
    /// - Returns: The outcome, which is `complete` if the file has the expected content.
    /// - Throws: The errors of the store and of the volume.
    func run(
        into file: Descriptor,
        after kept: Int64 = 0
    ) async throws(LibraryError) -> Outcome {
        let receiver = Receiver(blob, record, of: content, to: file)
        guard try await readAgain(kept, receiver) else { return .refused }
        do throws(ObjectStoreError) {
            for range in ranges(after: kept) { try await fetch(range, receiver) }
        } catch {
            // The receiver's own error says more than that it failed.
            if let problem = await receiver.problem { return try Self.outcome(of: problem) }
            if error.code == .notFound { return .missing }
            if kept > 0, Self.partFailures.contains(error.code) { return .undelivered }
            // Another object than the one that was written.
            guard error.code == .tooLarge else { throw LibraryError(error) }
            return .refused
        }
        do throws(CloudKeyError) {
            try await receiver.finish()
        } catch {
            return try Self.outcome(of: error)
        }
        return .complete
    }

    /// Adds the kept frames to the hash of the file.
    ///
    /// - Returns: False if they cannot be read.
    /// - Throws: `cancelled` if the task was canceled.
    private func readAgain(
        _ kept: Int64,
        _ receiver: Receiver
    ) async throws(LibraryError) -> Bool {
        guard kept > 0 else { return true }
        var count: Int64 = 0
        while count < kept {
            guard !Task.isCancelled else {
                throw LibraryError(ObjectStoreError.cancelled("read \(ObjectName.blob(blob))"))
            }
            count = min(count + Self.framesAtOnce, kept)
            do throws(CloudKeyError) {
                try await receiver.keepFrames(upTo: count)
            } catch {
                return false
            }
        }
        progress(await receiver.verified)
        return true
    }

    /// Returns the ranges of the object to request, where nil stands for the whole object.
    ///
    /// If frames are kept, the ranges are those of the header, which names the cipher, and of the
    /// frames that are not kept. If all frames are kept, nothing is requested.
    private func ranges(after kept: Int64) -> [Range<Int64>?] {
        let layout = record.layout
        guard kept > 0 else { return [nil] }
        guard kept < layout.frameCount else { return [] }
        return [
            0..<Int64(BlobLayout.headerSize),
            layout.sealedRange(of: kept).lowerBound..<layout.sealedSize,
        ]
    }

    private func fetch(
        _ range: Range<Int64>?,
        _ receiver: Receiver
    ) async throws(ObjectStoreError) {
        let size = range.map { Int64($0.count) } ?? record.layout.sealedSize
        _ = try await store.get(
            try ObjectKey(ObjectName.blob(blob).description),
            range: range,
            limit: size,
            timeout: BlobTransfer.timeout(of: size)
        ) { [progress] piece in progress(try await receiver.receive(piece)) }
    }

    private static func outcome(of problem: CloudKeyError) throws(LibraryError) -> Outcome {
        guard problem.code == .inputOutput else { return .refused }
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
        /// The number of bytes for which writing to the disk has been started.
        private var started: Int64 = 0

        private static let writeBackStep: Int64 = 8 << 20

        init(_ blob: BlobName, _ record: BlobRecord, of content: ContentID, to file: Descriptor) {
            self.file = file
            receiver = BlobReceiver(blob, record: record, content: content, to: file.number)
        }

        var verified: Int64 { receiver.verified }

        func keepFrames(upTo end: Int64) throws(CloudKeyError) {
            try receiver.keepFrames(upTo: end)
            started = receiver.verified
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
}
