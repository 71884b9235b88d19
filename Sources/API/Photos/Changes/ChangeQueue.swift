internal import Dispatch
internal import Foundation
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization

/// Runs the change blocks of one library and commits the changes that they request.
///
/// 1. Asynchronous blocks run one at a time on a serial queue. Their handlers run one at a time on
///    other queues, in the order of the commits. A handler may wait for another change, and for the
///    handler of that change, which then runs after a second.
/// 2. A synchronous block runs at once on the calling thread. No lock or queue is held meanwhile,
///    so other work that the block waits for can proceed.
/// 3. The library's writer lock decides the order in which concurrent blocks are committed.
package final class ChangeQueue: Sendable {
    private let blocks = DispatchQueue(label: "photos.change-blocks")
    private let handlers = HandlerQueue(label: "photos.change-handlers")
    private let policies = Mutex<(deletion: ChangePolicy?, edit: ChangePolicy?)>((nil, nil))

    init() {}

    /// The policy that confirms deletions, or nil when no confirmation is required.
    package var deletionPolicy: ChangePolicy? {
        get { policies.withLock { $0.deletion } }
        set { policies.withLock { $0.deletion = newValue } }
    }

    /// The policy that confirms changes to content (an edit or a revert), or nil when no
    /// confirmation is required.
    package var editPolicy: ChangePolicy? {
        get { policies.withLock { $0.edit } }
        set { policies.withLock { $0.edit = newValue } }
    }

    /// Runs a block asynchronously, and calls a handler after the commit.
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
            self.handlers.add {
                LibraryConnection.$override.withValue(connection) { handler.body(result) }
            }
        }
    }

    /// Runs a block asynchronously, and waits until its changes are committed.
    ///
    /// If the task is canceled before the block begins, the block does not run, and the method
    /// throws.
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

    /// Runs a change block synchronously, and waits until its changes are committed.
    ///
    /// - Returns: The commit's reply, or nil when the block requested no changes.
    /// - Throws: The reason that nothing was committed. A call inside another block also throws,
    ///   because it would deadlock.
    @discardableResult
    func wait(for block: ChangeBlock, on connection: LibraryConnection) throws -> CommitReply? {
        guard ChangeRecorder.current == nil else {
            throw PHPhotosError(
                LibraryError(
                    .changeNotSupported,
                    "PHPhotoLibrary.performChangesAndWait(_:) was called inside a change block.",
                    reason: "The outer block is committed only after it returns.",
                    recovery: "Create the requests in the outer block, or wait after it returns."
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
        "The change was canceled before it began.",
        reason: "The task that waited for it was canceled."
    )

    // MARK: - Running one block

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
        let reply = try service.commit(prepared.set, files: prepared.files)
        recorder.outcome.commit = reply
        let edited = prepared.set.assetsOfChangedContent
        if !edited.isEmpty { ImageCache.shared.remove(edited, of: connection) }
        // The library already has these files, so failing to remove the sources does not fail the
        // change.
        for error in prepared.removeMoved() {
            connection.logger.warning(
                "A moved file could not be removed from its folder.",
                metadata: error.metadata(for: connection.logger)
            )
        }
        return reply
    }
}

extension ChangeSet {
    /// The UUIDs of the existing assets whose content the change set modifies.
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

/// Wraps a client's change block so that it can run on another thread.
///
/// Unchecked because PhotoKit's block is not marked as Sendable. It runs once, and the client
/// promises that it may run on another thread.
struct ChangeBlock: @unchecked Sendable {
    let body: () -> Void
}

/// Wraps a client's completion handler so that it can be called on another thread.
///
/// Unchecked for the same reason as the block. The handler is called once.
struct ChangeHandler: @unchecked Sendable {
    let body: (Result<Void, LibraryError>) -> Void
}

/// The state of a queued block: waiting, begun or canceled.
private final class Ticket: Sendable {
    private enum State { case waiting, begun, cancelled }

    private let state = Mutex(State.waiting)

    /// Marks the block as begun and returns whether it may run.
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
