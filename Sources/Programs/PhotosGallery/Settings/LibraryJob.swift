internal import Dispatch
internal import PhotosManagement
internal import Synchronization

/// A background operation on the whole library.
///
/// At most one run is in progress, and it can be stopped.
final class LibraryJob: Sendable {
    private let control = Mutex<OperationControl?>(nil)

    var isRunning: Bool { control.withLock { $0 != nil } }

    /// Starts the operation on a background thread.
    ///
    /// - Returns: `false` when it is already running.
    @discardableResult
    func start(_ body: @escaping @Sendable (OperationControl) -> Void) -> Bool {
        let own = OperationControl()
        let isFirst = control.withLock { control in
            guard control == nil else { return false }
            control = own
            return true
        }
        guard isFirst else { return false }
        DispatchQueue.global(qos: .utility).async { [self] in
            body(own)
            control.withLock { $0 = nil }
            finished.withLock { $0 }()
        }
        return true
    }

    /// Asks the running operation to stop.
    func stop() { control.withLock { $0 }?.stop() }

    private let finished = Mutex<@Sendable () -> Void>({})

    /// Sets the handler that runs each time the operation has ended.
    func whenFinished(_ body: @escaping @Sendable () -> Void) { finished.withLock { $0 = body } }
}
