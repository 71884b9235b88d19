package import Foundation
internal import Glibc
package import LibraryService
package import Logging
package import PhotoModel
internal import RemoteLibrary

/// The thread that imports from the watch folders of one library.
///
///     missing ◀──root gone, back──▶ scanning ──all files dealt with──▶ watching
///                                      ▲  └─conditions─▶ paused          │
///                                      └────────event, rescan────────────┘
///
/// 1. Files are only read; nothing in a watch folder is changed or removed.
/// 2. A file is imported, added to the album, and then noted in the ledger. A kill in between
///    repeats steps that change nothing then.
/// 3. A missing folder is not an empty one: its ledger and its counts stay.
package final class WatchRunner: Sendable {
    /// The state of a watch folder.
    package enum FolderState: String, Sendable {
        case watching, scanning, missing, paused
    }

    /// The intervals and the clock of a runner.
    package struct Configuration: Sendable {
        /// The time for which a file must be unchanged before it is imported.
        package var stability = Duration.seconds(5)
        /// The interval between scans of folders whose changes inotify does not report completely,
        /// and between imports while the library's volume is full.
        package var rescan = Duration.seconds(600)
        /// The interval at which the runner checks for missing folders and new mounts.
        package var look = Duration.seconds(2)
        /// The time after which the runner retries a failed import or scan.
        package var retry = Duration.seconds(30)
        /// Returns the present time; tests replace this closure.
        package var now: @Sendable () -> SuspendingClock.Instant = { .now }

        package init() {}
    }

    struct Shared {
        var isStopping = false
        var hasEnded = true
        var folders: [WatchFolder]
        var states: [UUID: FolderState] = [:]
        var failure: LibraryError?
        var lastRun: Double?
    }

    let library: String
    let service: any LibraryService
    let list: WatchFolderList
    let configuration: Configuration
    let mayWork: @Sendable () -> Bool
    let logger: Logger
    let monitor: Monitor<Shared>
    private let wakeup: Wakeup?

    /// Creates a runner, which begins to work when `start()` is called.
    ///
    /// - Parameters:
    ///   - library: The identifier of the library.
    ///   - folders: The watch folders of the library.
    ///   - service: A session of the owner, whose author is recorded in the history.
    ///   - list: The list with the folders, in which counts are noted.
    ///   - configuration: The times.
    ///   - logger: Receives failures.
    ///   - mayWork: Returns whether files may be imported at present.
    package init(
        library: String,
        folders: [WatchFolder],
        service: any LibraryService,
        list: WatchFolderList,
        configuration: Configuration = Configuration(),
        logger: Logger,
        mayWork: @escaping @Sendable () -> Bool
    ) {
        self.library = library
        self.service = service
        self.list = list
        self.configuration = configuration
        self.logger = logger
        self.mayWork = mayWork
        monitor = Monitor(Shared(folders: folders))
        wakeup = Wakeup()
    }

    /// The states of the watch folders by their identifiers.
    package var states: [UUID: FolderState] { monitor.withLock(\.states) }

    /// The end of the last import, in seconds since 1970; nil if there was none.
    package var lastRun: Double? { monitor.withLock(\.lastRun) }

    /// The error that ended the thread; nil if there is none.
    package var failure: LibraryError? { monitor.withLock(\.failure) }

    /// Starts the thread.
    package func start() {
        monitor.update { $0.hasEnded = false }
        let isStarted = NamedThread.start("photos-watch") { [self] in
            do throws(LibraryError) {
                let work = WatchWork(self)
                defer { work.end() }
                while !isStopping {
                    try work.step()
                    wait(for: work)
                }
            } catch {
                monitor.update { $0.failure = error }
            }
            monitor.update { $0.hasEnded = true }
        }
        if !isStarted { monitor.update { $0.hasEnded = true } }
    }

    /// Replaces the watch folders.
    package func setFolders(_ folders: [WatchFolder]) {
        monitor.update { $0.folders = folders }
        wakeup?.signal()
    }

    /// Requests that the thread ends after the current files, and does not wait for its end.
    package func requestStop() {
        monitor.update { $0.isStopping = true }
        wakeup?.signal()
    }

    /// Ends the thread, and closes the session.
    package func stop() {
        requestStop()
        _ = monitor.wait { $0.hasEnded ? true : nil }
        service.close()
    }

    var isStopping: Bool { monitor.withLock(\.isStopping) }

    private func wait(for work: WatchWork) {
        var entries = [wakeup?.number, work.eventDescriptor].compactMap { number in
            number.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let left = Int((work.nextTime - work.now) / .milliseconds(1))
        _ = poll(&entries, nfds_t(entries.count), Int32(clamping: min(max(0, left), 60_000) + 1))
        wakeup?.reset()
    }
}
