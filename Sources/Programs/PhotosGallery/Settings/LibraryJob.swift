internal import Dispatch
internal import PhotosManagement
internal import Synchronization

/// Work on the whole library that goes on by itself: one at a time, stopped at will.
final class LibraryJob: Sendable {
    private let control = Mutex<OperationControl?>(nil)

    var isRunning: Bool { control.withLock { $0 != nil } }

    /// Begins the work on a thread of its own.
    ///
    /// - Returns: False when it goes on already.
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

    /// Asks it to stop.
    func stop() { control.withLock { $0 }?.stop() }

    private let finished = Mutex<@Sendable () -> Void>({})

    /// Says what is to be done each time that it has ended.
    func whenFinished(_ body: @escaping @Sendable () -> Void) { finished.withLock { $0 = body } }
}
