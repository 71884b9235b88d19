internal import PhotoModel
internal import RemoteLibrary

extension CloudConnection {
    /// The state of a connection.
    ///
    ///     idle ──begin──▶ busy ──end──▶ idle; busy if a session was requested meanwhile
    ///
    /// Each transition is one update of the monitor, so that no request is lost between two.
    struct State {
        var isBusy = false
        /// Indicates whether a session was requested while another operation was in progress.
        var isAskedAgain = false
        /// The task of the operation in progress; nil before and after its asynchronous part.
        var task: Task<Void, Never>?
        var status = CloudStatus(.none)
        var isKnown = false
        /// The lease of the library while it is kept open for background sessions; otherwise nil.
        var kept: CloudLease?
        /// The host of the last session, which is kept if the library stays open.
        var host: SyncHost?
        /// The host shared by sessions and downloads on demand; its store may already be closed.
        var open: SyncHost?

        /// Begins a session or, if another operation is in progress, requests a session to follow
        /// it.
        ///
        /// - Returns: Whether the session begins now.
        mutating func begin() -> Bool {
            guard !isBusy else {
                isAskedAgain = true
                return false
            }
            isBusy = true
            return true
        }

        /// Ends an operation, unless a session was requested meanwhile.
        ///
        /// A request while the service stops, or by a library that has left its cloud library, is
        /// dropped.
        ///
        /// - Parameter mayContinue: Whether sessions may still begin.
        /// - Returns: Whether the requested session has to be run now.
        mutating func end(mayContinue: Bool) -> Bool {
            isBusy = isAskedAgain && mayContinue && status.state != .none
            isAskedAgain = false
            return isBusy
        }

        /// Records the failure of a session.
        mutating func fail(_ error: LibraryError) {
            status.state = status.cloudLibrary == nil ? .none : .failed
            status.error = error
            status.sessions += 1
        }

        /// Records the end of a session that was canceled because the service ends.
        mutating func endEarly() {
            if status.state == .syncing { status.state = .idle }
            status.sessions += 1
        }

        /// Records that a session could not be started, so that those who wait for its end learn
        /// the reason.
        mutating func failToStart(_ error: LibraryError) {
            (isBusy, isAskedAgain) = (false, false)
            fail(error)
        }

        /// Clears the status of a library that is not part of a cloud library.
        ///
        /// The number of sessions is retained, because callers may be waiting for it to increase.
        mutating func leave() {
            let sessions = status.sessions
            status = CloudStatus(.none)
            status.sessions = sessions
        }
    }
}
