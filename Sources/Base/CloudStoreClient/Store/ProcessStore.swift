internal import Foundation
package import ObjectStorage
package import StoreProtocol
internal import Synchronization
package import WorkerProtocol

/// An object store that is accessed through `photos-cloud`, the only process with network access.
///
/// The process starts with the first request. If it ends, the requests in progress fail, and those
/// that change the store have an unknown outcome. The next request starts a new process.
package final class ProcessStore: ObjectStore {
    private enum Process {
        case none
        case started(Promise<StoreProcess>)
        case closed

        var promise: Promise<StoreProcess>? {
            if case .started(let promise) = self { promise } else { nil }
        }
    }

    package let place: String
    private let settings: StorePlace
    private let launch: @Sendable () throws(ObjectStoreError) -> StoreProcess
    private let slots = AsyncSlots(StoreLimits.calls)
    private let process = Mutex(Process.none)
    /// Indicates whether objects may be opened as files.
    ///
    /// They may in a directory, until the process answers that it is not on a local disk.
    let mayHaveFiles: Atomic<Bool>

    /// The grace period after a change's time limit, in which the process may remove a failed
    /// upload's parts.
    private static let grace = Duration.seconds(6)

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - place: The place of the objects.
    ///   - program: The path of `photos-cloud`; nil searches it: `$PHOTOS_CLOUD`, or where the
    ///     worker is.
    ///   - allowsUnconfined: Accepts a process that the kernel cannot confine.
    package convenience init(
        _ place: StorePlace,
        program: String? = nil,
        allowsUnconfined: Bool = false
    ) {
        self.init(place) { () throws(ObjectStoreError) in
            let path = program ?? StoreProgram.locate()
            guard let path, StoreProgram.exists(path) else { throw .missingProgram(path) }
            return try StoreProcess.launch(path, place: place, allowsUnconfined: allowsUnconfined)
        }
    }

    /// Creates a store that starts its processes by calling `launch`, on a thread that may block.
    package init(
        _ place: StorePlace,
        launch: @escaping @Sendable () throws(ObjectStoreError) -> StoreProcess
    ) {
        self.place = place.description
        settings = place
        mayHaveFiles = Atomic(place.isDirectory)
        self.launch = launch
    }

    deinit { finish() }

    /// Starts the process, which opens the store, unless it is already running.
    ///
    /// - Returns: The protections that the kernel granted to the process.
    /// - Throws: ``ObjectStoreError``: `programUnavailable` if the program is missing, of another
    ///   version or not confined; `storeAbsent` if a directory or its marker is missing.
    @discardableResult package func start(
        timeout: Duration
    ) async throws(ObjectStoreError) -> SandboxReport {
        try await perform("open the store", isChange: false, timeout: timeout) { process, _, _ in
            process.report
        }
    }

    /// The identifier of the running process; nil if none is running.
    package var processIdentifier: Int32? {
        process.withLock(\.promise)?.known?.identifier
    }

    package var multipart: (any MultipartUploading)? {
        if case .s3 = settings { self } else { nil }
    }

    package func close() async { finish() }

    private func finish() {
        let promise = process.withLock { process in
            defer { process = .closed }
            return process.promise
        }
        // A process that is being started is ended by the thread that starts it.
        promise?.known?.end(.closedStore)
        promise?.end(.failure(ObjectStoreError.closedStore))
    }
}

// MARK: - Processes

extension ProcessStore {
    /// Returns the running process, or starts one.
    private func running() async throws -> StoreProcess {
        let (promise, isNew) = try process.withLock { process in
            switch process {
            case .closed: throw ObjectStoreError.closedStore
            case .started(let promise): return (promise, false)
            case .none:
                let promise = Promise<StoreProcess>()
                process = .started(promise)
                return (promise, true)
            }
        }
        if isNew { start(promise) }
        return try await promise.value()
    }

    /// Creates a thread that starts the process and then reads its answers until it ends.
    private func start(_ promise: Promise<StoreProcess>) {
        Thread.detachNewThread { [weak self, launch] in
            do throws(ObjectStoreError) {
                let process = try launch()
                promise.end(.success(process))
                // The store may have been closed meanwhile.
                if !(self?.isStarted(promise) ?? false) { process.end(.closedStore) }
                process.readAnswers { self?.forget(promise) }
            } catch {
                self?.forget(promise)
                promise.end(.failure(error))
            }
        }
    }

    private func isStarted(_ promise: Promise<StoreProcess>) -> Bool {
        process.withLock(\.promise) === promise
    }

    /// Discards a process that ended or failed to start, so that the next request starts another
    /// one.
    private func forget(_ promise: Promise<StoreProcess>) {
        process.withLock { process in
            if process.promise === promise { process = .none }
        }
    }
}

// MARK: - Requests

extension ProcessStore {
    /// A flag that is set after a call was sent, because the call may then take effect.
    final class Sending: Sendable {
        private let storage = Atomic(false)
        var isDone: Bool { storage.load(ordering: .acquiring) }
        func mark() { storage.store(true, ordering: .releasing) }
    }

    /// Runs `body` with the process, which is started if it is not running.
    ///
    /// At most `StoreLimits.calls` bodies run at the same time.
    ///
    /// `body` receives a deadline for the time that is left.
    func perform<Value: Sendable>(
        _ action: String,
        isChange: Bool,
        timeout: Duration,
        _ body: @escaping @Sendable (StoreProcess, CallDeadline, Sending) async throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        let sending = Sending()
        let action = "\(action) in \(place)"
        let inner = CallDeadline(timeout, clock: .system)
        // A process reports the time limit of a change itself, after it cleaned up.
        let outer = isChange ? CallDeadline(timeout + Self.grace, clock: .system) : inner
        do {
            return try await outer.run(action) { [self] in
                try await slots.take()
                defer { slots.release() }
                return try await body(running(), inner, sending)
            }
        } catch let error as ObjectStoreError {
            let isUnknown = isChange && error.code == .timedOut && sending.isDone
            throw error.withUnknownOutcome(isUnknown)
        } catch {
            throw .cancelled(action).withUnknownOutcome(isChange && sending.isDone)
        }
    }

    /// Sends a call and waits for its result.
    func ask(
        _ action: String,
        _ call: StoreCall,
        file: OpenFile? = nil,
        timeout: Duration
    ) async throws(ObjectStoreError) -> Answered {
        try await perform(action, isChange: call.isChange, timeout: timeout) {
            process,
            deadline,
            sending in
            let pending = try process.begin(
                call,
                file: file,
                milliseconds: deadline.remaining.milliseconds
            )
            sending.mark()
            do {
                return Answered(process: process, call: call, try await pending.answer.value())
            } catch let error as CancellationError {
                process.abandon(pending)
                throw error
            }
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least 0 and at most about a century.
    var milliseconds: Int64 {
        let century: Int64 = 100 * 366 * 86_400
        let seconds = min(max(components.seconds, 0), century)
        return seconds * 1000 + max(components.attoseconds, 0) / 1_000_000_000_000_000
    }
}

extension StorePlace {
    fileprivate var isDirectory: Bool { if case .directory = self { true } else { false } }
}
