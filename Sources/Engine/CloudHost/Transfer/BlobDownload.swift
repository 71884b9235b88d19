internal import CLinuxShim
internal import CloudKeys
internal import CloudSync
internal import LibraryService
internal import ObjectStorage
internal import PhotoModel
internal import StoreProtocol
internal import Synchronization

/// The download of a blob into a file, which is decrypted and checked as it arrives.
///
///     kept frames ──read again──▶ SHA-256 ◀──decrypted── rest of the object, in pieces
///                                    │    ◀──decrypted── frames of the object's file
///                                    └──end──▶ complete, or refused
///
/// 1. A frame that fails a check is never written to the file.
/// 2. Kept frames are only requested again if the whole is refused. They are not trusted: the
///    SHA-256 of the whole file includes them as they are in the file.
/// 3. The file is empty if the object was refused or the volume failed. Otherwise it begins with
///    all frames that were verified, in order.
/// 4. A thread that reads the object's file may be blocked by the disk for longer than the download
///    takes. It does not change the downloaded file any more then.
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
    /// The slots of the threads that read objects from their files.
    let readers: AsyncSlots
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
            try await receive(after: kept, receiver)
        } catch {
            // The receiver's own error says more than that it failed.
            if let problem = receiver.problem { return try Self.outcome(of: problem) }
            if error.code == .notFound { return .missing }
            if kept > 0, Self.partFailures.contains(error.code) { return .undelivered }
            // Another object than the one that was written.
            guard error.code == .tooLarge else { throw LibraryError(error) }
            return .refused
        }
        do throws(CloudKeyError) {
            try receiver.finish()
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
                try receiver.keepFrames(upTo: count)
            } catch {
                return false
            }
            await Task.yield()
        }
        progress(receiver.verified)
        return true
    }

    /// Receives the rest of the object.
    private func receive(
        after kept: Int64,
        _ receiver: Receiver
    ) async throws(ObjectStoreError) {
        guard kept < record.layout.frameCount else { return }
        guard try await !readFile(receiver) else { return }
        for range in ranges(after: kept) { try await fetch(range, receiver) }
    }

    // MARK: - The object's file

    /// Receives the rest of the object from its file, if the store has files on a local disk.
    ///
    /// The time limit does not include the wait for another download, which may be of a large file.
    ///
    /// - Returns: False if the object has to be requested in pieces.
    private func readFile(_ receiver: Receiver) async throws(ObjectStoreError) -> Bool {
        let key = try ObjectKey(ObjectName.blob(blob).description)
        let action = "read \(key) in \(store.place)"
        let size = record.layout.sealedSize
        let timeout = BlobTransfer.timeout(of: size)
        do {
            try await readers.take()
        } catch {
            throw .cancelled(action)
        }
        defer { readers.release() }
        guard let object = try await store.file(of: key, limit: size, timeout: timeout) else {
            return false
        }
        do {
            try await CallDeadline(timeout, clock: .system).run(action) {
                try await ThreadedWork.run("photos-receiver") {
                    try readFrames(of: object, receiver)
                }
            }
        } catch {
            receiver.abandon()
            switch error {
            case let error as ObjectStoreError: throw error
            case let error as CloudKeyError: throw .receiverFailed(key, cause: error)
            default: throw .cancelled(action)
            }
        }
        return true
    }

    /// Reads, decrypts and writes the frames that the downloaded file lacks.
    ///
    /// Blocks the calling thread.
    private func readFrames(of object: ObjectFile, _ receiver: Receiver) throws {
        try object.check()
        let header = try object.read(0..<Int64(BlobLayout.headerSize))
        let opener = try receiver.check { () throws(CloudKeyError) in
            try BlobOpener(blob, record: record, header: header)
        }
        while let number = receiver.nextFrame {
            let bytes = try object.read(record.layout.sealedRange(of: number))
            let frame = try receiver.check { () throws(CloudKeyError) in
                try opener.frame(number, from: bytes)
            }
            guard let verified = try receiver.accept(frame) else { return }
            progress(verified)
        }
        receiver.startWriteBack()
    }

    // MARK: - Pieces

    /// Returns the ranges of the object to request, where nil stands for the whole object.
    ///
    /// If frames are kept, the ranges are those of the header, which names the cipher, and of the
    /// frames that are not kept.
    private func ranges(after kept: Int64) -> [Range<Int64>?] {
        let layout = record.layout
        guard kept > 0 else { return [nil] }
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
        ) { [progress] piece in
            if let verified = try receiver.receive(piece) { progress(verified) }
        }
    }

    private static func outcome(of problem: CloudKeyError) throws(LibraryError) -> Outcome {
        guard problem.code == .inputOutput else { return .refused }
        throw LibraryError(problem)
    }

    /// The receiver of a download's bytes, which writes the verified ones in order.
    ///
    /// It starts writing the file to the disk while more of it arrives, so that little is left to
    /// write when the file is synced.
    ///
    /// Thread-safe. Its lock is not held while frames of the object's file are read and decrypted.
    private final class Receiver: Sendable {
        private struct State {
            var receiver: BlobReceiver
            var problem: CloudKeyError?
            /// The number of bytes for which writing to the disk has been started.
            var started: Int64 = 0
            /// Indicates whether the file must not be changed any more.
            var isAbandoned = false
        }

        private let file: Descriptor
        private let state: Mutex<State>

        private static let writeBackStep: Int64 = 8 << 20

        init(_ blob: BlobName, _ record: BlobRecord, of content: ContentID, to file: Descriptor) {
            self.file = file
            state = Mutex(
                State(
                    receiver: BlobReceiver(blob, record: record, content: content, to: file.number)
                )
            )
        }

        var verified: Int64 { state.withLock { $0.receiver.verified } }

        var problem: CloudKeyError? { state.withLock { $0.problem } }

        /// The number of the next frame; nil if the file has all frames, or after `abandon()`.
        var nextFrame: Int64? {
            state.withLock { $0.isAbandoned ? nil : $0.receiver.nextFrame }
        }

        func keepFrames(upTo end: Int64) throws(CloudKeyError) {
            try state.withLock { state throws(CloudKeyError) in
                try state.receiver.keepFrames(upTo: end)
                state.started = state.receiver.verified
            }
        }

        /// Processes the next piece of the object, and returns the number of verified bytes; nil
        /// after `abandon()`.
        func receive(_ piece: [UInt8]) throws(CloudKeyError) -> Int64? {
            try change { receiver throws(CloudKeyError) in try receiver.receive(piece) }
        }

        /// Adds the next frame, and returns the number of verified bytes; nil after `abandon()`.
        func accept(_ frame: BlobFrame) throws(CloudKeyError) -> Int64? {
            try change { receiver throws(CloudKeyError) in try receiver.accept(frame) }
        }

        private func change(
            _ body: (inout BlobReceiver) throws(CloudKeyError) -> Void
        ) throws(CloudKeyError) -> Int64? {
            let verified = try state.withLock { state throws(CloudKeyError) -> Int64? in
                guard !state.isAbandoned else { return nil }
                do throws(CloudKeyError) {
                    try body(&state.receiver)
                } catch {
                    state.problem = error
                    throw error
                }
                return state.receiver.verified
            }
            startWriteBack(ofAtLeast: Self.writeBackStep)
            return verified
        }

        /// Performs a check of the object; if the check fails, the file is emptied.
        func check<Value>(
            _ body: () throws(CloudKeyError) -> Value
        ) throws(CloudKeyError) -> Value {
            do throws(CloudKeyError) {
                return try body()
            } catch {
                state.withLock { state in
                    guard !state.isAbandoned else { return }
                    state.problem = error
                    state.receiver.refuse()
                }
                throw error
            }
        }

        /// Leaves the file as it is; a thread that still reads the object changes nothing any more.
        ///
        /// Waits for a write that is in progress.
        func abandon() { state.withLock { $0.isAbandoned = true } }

        func finish() throws(CloudKeyError) {
            try state.withLock { state throws(CloudKeyError) in try state.receiver.finish() }
            startWriteBack()
        }

        /// Starts writing the verified bytes to the disk, if there are enough for which that has
        /// not been done.
        func startWriteBack(ofAtLeast size: Int64 = 1) {
            let range = state.withLock { state -> Range<Int64>? in
                let verified = state.receiver.verified
                guard !state.isAbandoned, verified - state.started >= size else { return nil }
                defer { state.started = verified }
                return state.started..<verified
            }
            guard let range else { return }
            _ = cphotos_start_write_back(file.number, range.lowerBound, Int64(range.count))
        }
    }
}
