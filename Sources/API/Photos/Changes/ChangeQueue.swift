internal import Dispatch
internal import Foundation
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization

/// Runs the change blocks of one library, and commits what they ask for.
///
/// 1. Blocks that nobody waits for run one after the other on a serial queue; their handlers on
///    another one, so that a handler may wait for a change.
/// 2. A block that is waited for runs on the thread that waits, at once. No lock and no queue is held
///    meanwhile, so whatever it waits for can go on.
/// 3. Which of several blocks is committed first is decided by the library's writer lock.
package final class ChangeQueue: Sendable {
    private let blocks = DispatchQueue(label: "photos.change-blocks")
    private let handlers = DispatchQueue(label: "photos.change-handlers")
    private let policies = Mutex<(deletion: ChangePolicy?, edit: ChangePolicy?)>((nil, nil))

    init() {}

    /// Asks whether assets may be deleted; nil when nobody has to be asked.
    package var deletionPolicy: ChangePolicy? {
        get { policies.withLock { $0.deletion } }
        set { policies.withLock { $0.deletion = newValue } }
    }

    /// Asks whether the content of assets may be edited and reverted; nil when nobody has to be asked.
    package var editPolicy: ChangePolicy? {
        get { policies.withLock { $0.edit } }
        set { policies.withLock { $0.edit = newValue } }
    }

    /// Runs a block later and calls a handler when all is done.
    func submit(
        _ block: ChangeBlock,
        to connection: LibraryConnection,
        handler: ChangeHandler?
    ) {
        blocks.async {
            let result = self.run(block, connection).map { _ in () }
            guard let handler else {
                if case .failure(let error) = result { connection.reportUnlessUnavailable(error) }
                return
            }
            self.handlers.async {
                LibraryConnection.$override.withValue(connection) { handler.body(result) }
            }
        }
    }

    /// Runs a block later, unless the task is cancelled before, and waits for it.
    func submit(_ block: ChangeBlock, to connection: LibraryConnection) async throws {
        let ticket = Ticket()
        let result: Result<Void, LibraryError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                blocks.async {
                    guard ticket.begin() else {
                        continuation.resume(returning: .failure(Self.cancelled))
                        return
                    }
                    continuation.resume(returning: self.run(block, connection).map { _ in () })
                }
            }
        } onCancel: {
            ticket.cancel()
        }
        if case .failure(let error) = result { throw PHPhotosError(error) }
    }

    /// Runs a block at once.
    ///
    /// - Returns: What was committed; nil when the block asked for nothing.
    /// - Throws: Also inside of another block, where waiting would never end.
    @discardableResult
    func wait(for block: ChangeBlock, on connection: LibraryConnection) throws -> CommitReply? {
        guard ChangeRecorder.current == nil else {
            throw PHPhotosError(
                LibraryError(
                    .changeNotSupported,
                    "PHPhotoLibrary.performChangesAndWait(_:) was called inside of a change block.",
                    reason: "The outer block is committed only when it has ended.",
                    recovery: "Make the requests in the outer block, or wait after it has ended."
                )
            )
        }
        switch run(block, connection) {
        case .success(let reply): return reply
        case .failure(let error): throw PHPhotosError(error)
        }
    }

    private static let cancelled = LibraryError(
        .cancelled,
        "The change was cancelled before it began.",
        reason: "The task that waited for it was cancelled."
    )

    // MARK: - One block

    private func run(
        _ block: ChangeBlock,
        _ connection: LibraryConnection
    ) -> Result<CommitReply?, LibraryError> {
        let recorder = ChangeRecorder(connection: connection)
        recorder.record(block.body)
        do throws(LibraryError) {
            return .success(try commit(recorder))
        } catch {
            return .failure(error)
        }
    }

    private func commit(_ recorder: ChangeRecorder) throws(LibraryError) -> CommitReply? {
        let connection = recorder.connection
        connection.permission?.awaitFirstAnswer()
        let service = try connection.service()
        let prepared = try recorder.prepared()
        guard !prepared.set.operations.isEmpty else { return nil }
        let (deletion, edit) = policies.withLock { $0 }
        if deletion != nil || edit != nil {
            func policy(_ kind: ChangeQuestion.Kind) -> ChangePolicy? {
                kind.isDeletion ? deletion : edit
            }
            let questions = try ChangeQuestion.questions(
                about: prepared.set,
                of: { policy($0) != nil },
                service
            )
            for question in questions {
                guard policy(question.kind)?(question) == true else { throw question.refusal }
            }
        }
        let request = CommitRequest(
            author: ProcessInfo.processInfo.processName,
            changes: prepared.set
        )
        let reply = try service.commit(request, files: prepared.files)
        recorder.outcome.commit = reply
        let edited = prepared.set.assetsOfChangedContent
        if !edited.isEmpty { ImageCache.shared.remove(edited, of: connection) }
        // The library has these files: that it could not remove them is no failure of the change.
        for error in prepared.removeMoved() {
            connection.logger.warning("\(error)", metadata: ["photos.path": "\(error.path ?? "")"])
        }
        return reply
    }
}

extension ChangeSet {
    /// The UUIDs of the assets there are whose content it changes.
    fileprivate var assetsOfChangedContent: Set<String> {
        Set(
            operations.compactMap { operation in
                switch operation.action {
                case .editContent(let uuid, _), .revertContent(let uuid, _): uuid
                default: nil
                }
            }
        )
    }
}

/// A client's block on its way to the queue.
///
/// Unchecked because PhotoKit's block is not marked as Sendable: it runs once, and whoever hands it
/// over promises that it may do so elsewhere.
struct ChangeBlock: @unchecked Sendable {
    let body: () -> Void
}

/// A client's completion handler on its way to the queue.
///
/// Unchecked for the same reason as its block: it is called once.
struct ChangeHandler: @unchecked Sendable {
    let body: (Result<Void, LibraryError>) -> Void
}

/// Whether a block still waits for its turn.
private final class Ticket: Sendable {
    private enum State { case waiting, begun, cancelled }

    private let state = Mutex(State.waiting)

    /// Whether the block may run.
    func begin() -> Bool {
        state.withLock { state in
            guard state == .waiting else { return false }
            state = .begun
            return true
        }
    }

    func cancel() {
        state.withLock { state in
            if state == .waiting { state = .cancelled }
        }
    }
}
