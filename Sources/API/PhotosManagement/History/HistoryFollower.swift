internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// An object that waits for changes of a library, made by this or any other process.
///
/// One thread calls ``next()`` repeatedly; ``stop()`` may be called from any thread. Each
/// transaction is returned exactly once.
public final class HistoryFollower: Sendable {
    private let library: PhotoLibraryBundle
    private let signal: Descriptor
    private let token: Mutex<HistoryToken>
    private let stopping = Atomic(false)
    /// A socket pair that ends the wait: shutting down one end wakes the thread that polls the
    /// other.
    private let wakeUp: (send: Descriptor, receive: Descriptor)

    /// The interval, in milliseconds, at which the library is polled for commits that send no
    /// signal.
    private static let patience: Int32 = 1000

    init(library: PhotoLibraryBundle, signal: Descriptor, since token: HistoryToken) throws {
        self.library = library
        self.signal = signal
        self.token = Mutex(token)
        wakeUp = try edge { () throws(LibraryError) in
            var ends: (Int32, Int32) = (-1, -1)
            guard cphotos_socket_pair(&ends.0, &ends.1) == 0 else {
                throw LibraryError(
                    .inputOutput,
                    "The library cannot be watched.",
                    reason: String(cString: strerror(errno))
                )
            }
            return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
        }
    }

    /// Waits for a commit, and returns the new transactions, oldest first; nil after a stop.
    ///
    /// - Returns: Some transactions; nil after the follower was stopped.
    /// - Throws: `PHPhotosError` when the library can no longer be read, or when history was pruned
    ///   past the last returned transaction.
    public func next() throws -> [HistoryEntry]? {
        while !stopping.load(ordering: .acquiring) {
            let entries = try library.history(since: token.withLock { $0 }, limit: 64)
            if let last = entries.last {
                token.withLock { $0 = last.token }
                return entries
            }
            wait()
        }
        return nil
    }

    /// Stops the follower and wakes a thread that waits in ``next()``; may be called repeatedly.
    public func stop() {
        stopping.store(true, ordering: .releasing)
        _ = shutdown(wakeUp.send.number, Int32(SHUT_WR))
    }

    private func wait() {
        withExtendedLifetime((signal, wakeUp)) {
            var requests = [
                pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.receive.number, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, Self.patience) > 0, requests[0].revents != 0 else { return }
            // A descriptor that only reports an error would cause a busy loop, so wait briefly
            // instead.
            if !signal.drain() { _ = poll(nil, 0, 50) }
        }
    }
}
