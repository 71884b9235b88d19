internal import CloudKeys
internal import EmbeddedLibrary
internal import Foundation
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import RemoteLibrary

/// The background thread that syncs all of this user's libraries that belong to a cloud library.
///
/// A session begins some seconds after a change on this computer, and every few minutes for changes
/// of other devices. Libraries are found by their keys. They stay open as long as they are part of
/// a cloud library.
package final class CloudBackground: Sendable {
    /// The delays between the sync sessions of a library.
    package struct Times: Sendable {
        /// The delay between a change on this computer and the session that publishes it.
        package var quiet = Duration.seconds(5)
        /// The time between sessions that read the changes of other devices.
        package var poll = Duration.seconds(270)
        /// The time between complete sessions, which read all logs.
        package var complete = Duration.seconds(3_600)
        /// The time after which a failed session is retried.
        package var retry = Duration.seconds(60)

        /// Creates the delays, multiplied by `scale` in tests.
        package init(scale: Double? = nil) {
            guard let scale else { return }
            quiet = quiet * scale
            poll = poll * scale
            complete = complete * scale
            retry = retry * scale
        }
    }

    private struct Library {
        var connection: CloudConnection
        var lease: CloudLease
        var changes: Descriptor?
        var nextSession: SuspendingClock.Instant
        var nextComplete: SuspendingClock.Instant
    }

    private struct State {
        var isStopping = false
        var hasEnded = true
        var count = 0
    }

    private let service: CloudService
    private let times: Times
    private let monitor = Monitor(State())
    private let wakeup: Wakeup?

    package init(_ service: CloudService, times: Times = Times()) {
        self.service = service
        self.times = times
        wakeup = Wakeup()
    }

    /// Indicates whether there are libraries to sync.
    ///
    /// The daemon must keep running while there are.
    package var hasLibraries: Bool { monitor.withLock { $0.count > 0 } }

    /// Starts the background thread.
    ///
    /// - Returns: False if the system has reached its limit of threads.
    package func start() -> Bool {
        monitor.update { state in
            state.hasEnded = false
            state.count = service.storedLibraries().count
        }
        return NamedThread.start("photos-cloud-host") { [self] in
            run()
            monitor.update { $0.hasEnded = true }
        }
    }

    /// Cancels the service's sessions and requests in progress, waits until they have ended, and
    /// ends the thread.
    package func stop() {
        service.cancel()
        monitor.update { $0.isStopping = true }
        wakeup?.signal()
        _ = monitor.wait { $0.hasEnded ? true : nil }
    }

    /// Wakes the thread, which then looks for libraries that joined or left a cloud library.
    package func wake() { wakeup?.signal() }

    // MARK: - The thread

    private func run() {
        var libraries: [String: Library] = [:]
        while !monitor.withLock(\.isStopping) {
            adopt(&libraries)
            let now = SuspendingClock.now
            for (path, library) in libraries {
                if library.nextSession <= now {
                    libraries[path] = begin(library, now)
                } else if library.connection.hasFailed {
                    // Not before the next look, which is after the time of a retry.
                    libraries[path]?.nextSession = min(library.nextSession, now + times.retry)
                }
            }
            wait(for: &libraries)
        }
        for library in libraries.values { library.connection.release() }
    }

    /// Opens the libraries that joined a cloud library, and releases those that left.
    private func adopt(_ libraries: inout [String: Library]) {
        let stored = Set(service.storedLibraries())
        monitor.update { $0.count = stored.count }
        for (path, library) in libraries
        where !stored.contains(path) || !library.lease.engine.isShareable {
            library.connection.release()
            libraries[path] = nil
        }
        for path in stored where libraries[path] == nil {
            let connection = service.connection(to: path)
            // A library that cannot be opened, such as one on a disk elsewhere, is tried again.
            guard let lease = try? connection.keep() else { continue }
            libraries[path] = Library(
                connection: connection,
                lease: lease,
                changes: try? lease.engine.changes(),
                nextSession: .now,
                nextComplete: .now
            )
        }
    }

    /// Begins a session and sets the time of the next one.
    private func begin(_ library: Library, _ now: SuspendingClock.Instant) -> Library {
        var library = library
        let isComplete = library.nextComplete <= now
        do throws(LibraryError) {
            try library.connection.beginSession(isShort: !isComplete)
            library.nextSession = now + times.poll
            if isComplete { library.nextComplete = now + times.complete }
        } catch {
            library.nextSession = now + times.retry
        }
        return library
    }

    /// Waits for a change of a library, a call of `wake()`, or the time of the next session.
    private func wait(for libraries: inout [String: Library]) {
        let next = libraries.values.map(\.nextSession).min() ?? .now + times.retry
        let left = Int(min(next - SuspendingClock.now, times.retry) / .milliseconds(1))
        let paths = libraries.keys.filter { libraries[$0]?.changes != nil }
        var entries = paths.map { path in
            pollfd(fd: libraries[path]?.changes?.number ?? -1, events: Int16(POLLIN), revents: 0)
        }
        entries.append(pollfd(fd: wakeup?.number ?? -1, events: Int16(POLLIN), revents: 0))
        _ = poll(&entries, nfds_t(entries.count), Int32(clamping: max(1, left)))
        wakeup?.reset()
        for (index, path) in paths.enumerated() where entries[index].revents != 0 {
            guard let library = libraries[path], library.changes?.drain() == true else { continue }
            guard (try? library.lease.engine.hasUnexportedChanges()) == true else { continue }
            libraries[path]?.nextSession = min(library.nextSession, .now + times.quiet)
        }
    }
}
