import Dispatch
import PhotosManagement
import Synchronization

/// The libraries that the command has open.
///
/// Every exit of the process closes them. A process that exits without closing a library leaves the
/// database's write-ahead log on disk. The log grows with each such process and slows down later
/// ones.
enum OpenLibraries {
    private struct State {
        var libraries: [PhotoLibraryBundle] = []
        var notice: String?
    }

    private static let state = Mutex(State())

    /// The printed message about missing changes; nil if no message was printed.
    static var notice: String? { state.withLock(\.notice) }

    /// The calls that are currently opening a library.
    ///
    /// A library has a write-ahead log even before it is in `libraries`.
    private static let opening = DispatchGroup()

    /// Opens and registers a library; prints a message if changes of the library are missing.
    static func add(_ open: () throws -> PhotoLibraryBundle) throws -> PhotoLibraryBundle {
        let library = try addOpened(open)
        guard let missing = try library.missingChanges else { return library }
        state.withLock { $0.notice = missing.description }
        StandardError.shared.say("photos: " + TerminalStyle.safe(missing.description))
        return library
    }

    private static func addOpened(
        _ open: () throws -> PhotoLibraryBundle
    ) throws -> PhotoLibraryBundle {
        opening.enter()
        defer { opening.leave() }
        let library = try open()
        state.withLock { $0.libraries.append(library) }
        return library
    }

    /// Closes all open libraries.
    ///
    /// - Parameter patience: The time to wait for calls in progress. After that, the process may
    ///   exit without closing, which loses no data.
    static func close(patience: DispatchTimeInterval = .seconds(10)) {
        let deadline = DispatchTime.now() + patience
        _ = opening.wait(timeout: deadline)
        let libraries = state.withLock { state in
            defer { state.libraries = [] }
            return state.libraries
        }
        guard !libraries.isEmpty else { return }
        let isClosed = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .userInitiated).async {
            for library in libraries { library.close() }
            isClosed.signal()
        }
        _ = isClosed.wait(timeout: deadline)
    }
}
