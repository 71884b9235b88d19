internal import RemoteLibrary

/// The state of a running library daemon.
public struct LibraryDaemonState: Hashable, Sendable {
    /// A client of the daemon.
    public struct Client: Hashable, Sendable {
        /// The identifier of the program: its Flatpak or bundle identifier, or the path of its
        /// executable.
        public var program: String
        /// The way in which the daemon identified the program, such as `sandboxed` for an app in a
        /// sandbox, or `host` for an executable of the same user.
        public var identityClass: String
        /// The number of calls in progress.
        public var callCount: Int
    }

    /// A background task of the daemon.
    public struct Duty: Hashable, Sendable {
        /// The name of the task.
        public var name: String
        /// The state of the task, such as `running`.
        public var state: String
        /// The time when the task last ended, in seconds since 1970; nil before it first ends.
        public var lastRun: Double?
    }

    /// The path of the daemon's socket.
    public var socket: String
    /// The process identifier of the daemon.
    public var processIdentifier: Int32
    /// The version of the daemon's software.
    public var version: String
    /// The highest version of the protocol that the daemon supports.
    public var protocolNumber: Int
    /// The path of the library that programs use if they don't name one.
    public var library: String?
    /// The time since the daemon started, in seconds.
    public var uptime: Double
    /// The kind of process (`daemon` or `embedded`) that holds the lock for background tasks; nil
    /// if no process holds it.
    public var dutyHolder: String?
    /// The connected programs, the oldest connection first.
    public var clients: [Client]
    /// The background tasks.
    public var duties: [Duty]
    /// The event counts since the daemon started, keyed by event name, such as `connections` or
    /// `calls`.
    public var counters: [String: Int]

    /// The states of the watch folders by their identifiers.
    let watchFolders: [String: String]

    init(_ status: DaemonStatus, socket: String) {
        self.socket = status.socket.isEmpty ? socket : status.socket
        processIdentifier = status.pid
        version = status.version
        protocolNumber = status.protocol
        library = status.library
        uptime = status.uptime
        dutyHolder = status.duty
        clients = status.clients.map {
            Client(program: $0.program, identityClass: $0.class, callCount: $0.calls)
        }
        duties = status.duties.map { Duty(name: $0.name, state: $0.state, lastRun: $0.lastRun) }
        watchFolders = status.watchFolders ?? [:]
        let events = status.counters
        counters = [
            "connections": events.connections, "refusedConnections": events.refusedConnections,
            "violations": events.violations, "stalledConnections": events.stalledConnections,
            "calls": events.calls, "failedCalls": events.failedCalls,
            "cancelledCalls": events.cancelledCalls, "repeatedChanges": events.repeatedChanges,
            "busy": events.busy.values.reduce(0, +),
        ]
    }
}
