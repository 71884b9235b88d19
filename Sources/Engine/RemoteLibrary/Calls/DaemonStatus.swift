internal import LibraryService
internal import PhotoModel

/// The state of a daemon, which `photos daemon status` prints as JSON.
package struct DaemonStatus: Codable, Hashable, Sendable {
    /// A connected client and the number of its calls in progress.
    package struct Client: Codable, Hashable, Sendable {
        /// The identifier of the client's program.
        package var program: String
        /// The kind of the client's identity.
        package var `class`: String
        /// The number of calls in progress.
        package var calls: Int

        package init(program: String, class: String, calls: Int) {
            self.program = program
            self.class = `class`
            self.calls = calls
        }
    }

    /// The state of a background task.
    package struct Duty: Codable, Hashable, Sendable {
        package var name: String
        package var state: String
        /// The end time of the task's last run, in seconds since 1970; nil if it has not run.
        package var lastRun: Double?

        package init(name: String, state: String, lastRun: Double? = nil) {
            self.name = name
            self.state = state
            self.lastRun = lastRun
        }
    }

    /// The counters since the start of the daemon.
    package struct Counters: Codable, Hashable, Sendable {
        package var connections = 0
        package var refusedConnections = 0
        /// The number of connections that ended because the client violated the protocol.
        package var violations = 0
        /// The number of connections that ended because the client did not read.
        package var stalledConnections = 0
        package var calls = 0
        package var failedCalls = 0
        package var cancelledCalls = 0
        /// The number of repeated change requests that were answered with a stored reply.
        package var repeatedChanges = 0
        /// The number of calls that exceeded a limit, by the name of the limit.
        package var busy: [String: Int] = [:]

        package init() {}
    }

    package var running: Bool
    package var socket: String
    package var pid: Int32
    package var version: String
    package var `protocol`: Int
    /// The path of the default library; nil if there is none.
    package var library: String?
    /// The time since the start of the daemon, in seconds.
    package var uptime: Double
    /// The kind of process that holds the background-work lock; nil if no process holds it.
    package var duty: String?
    package var clients: [Client]
    package var duties: [Duty]
    package var counters: Counters
    /// The states of the watch folders by their identifiers; nil if there are none.
    package var watchFolders: [String: String]?

    package init(
        running: Bool = true,
        socket: String,
        pid: Int32,
        version: String,
        protocol: Int,
        library: String? = nil,
        uptime: Double = 0,
        duty: String? = nil,
        clients: [Client] = [],
        duties: [Duty] = [],
        counters: Counters = Counters()
    ) {
        self.running = running
        self.socket = socket
        self.pid = pid
        self.version = version
        self.protocol = `protocol`
        self.library = library
        self.uptime = uptime
        self.duty = duty
        self.clients = clients
        self.duties = duties
        self.counters = counters
    }
}

/// The calls over a connection that are not methods of a library; the daemon performs them itself.
package enum DaemonCalls {
    /// Returns the state of the daemon; only the library's owner may call it.
    ///
    /// The daemon answers this call before it searches `CallTable`.
    package static let statistics = Call<NoValue, DaemonStatus>("daemonStatus") {
        (_, _, _) throws(LibraryError) in
        throw LibraryError(
            .invalidRequest,
            "A library has no statistics of a daemon.",
            recovery: "Ask the daemon itself."
        )
    }
}
