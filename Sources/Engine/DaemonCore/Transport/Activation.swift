internal import CLinuxShim
internal import Glibc
internal import LibraryService
package import PhotoModel

/// The systemd protocol for passing listening sockets (sd_listen_fds(3)) and reporting a service's
/// state (sd_notify(3)).
package struct Activation: Sendable {
    /// The first descriptor that is passed.
    private static let firstDescriptor: Int32 = 3

    /// The environment variable that states the number of descriptors passed to the next program
    /// run in this process with `exec`.
    private static let left = "PHOTOS_LEFT_DESCRIPTORS"
    private static let path = "PHOTOS_LEFT_SOCKET"

    private let environment: [String: String]
    private let process: Int32

    /// Creates an instance from the environment of the process.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - process: The number of the process.
    package init(environment: [String: String], process: Int32 = getpid()) {
        self.environment = environment
        self.process = process
    }

    /// Returns the listening socket that was passed to this process; nil if there is none.
    ///
    /// - Throws: `invalidRequest` if not exactly one descriptor was passed, or if it is not a
    ///   listening Unix socket.
    package func socket() throws(LibraryError) -> ListeningSocket? {
        // The variables may be inherited from a parent that they were meant for.
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0
        else { return nil }
        // The second one is the lock of a socket that the program before this one created.
        let isLeft = environment[Self.left] == "2" && count == 2
        guard count == 1 || isLeft, cphotos_is_listening(Self.firstDescriptor) == 1 else {
            throw LibraryError(
                .invalidRequest,
                "The service manager passed \(count) descriptors, but not one listening socket.",
                recovery: "Use the socket unit of this package."
            )
        }
        let descriptor = Descriptor(owning: Self.firstDescriptor)
        _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK)
        guard isLeft else { return ListeningSocket(passed: descriptor) }
        let lock = Descriptor(owning: Self.firstDescriptor + 1)
        _ = fcntl(lock.number, F_SETFD, FD_CLOEXEC)
        return ListeningSocket(passed: descriptor, path: environment[Self.path], lock: lock)
    }

    /// Indicates whether an earlier program run in this process passed its listening socket to this
    /// program.
    package var isSuccession: Bool { environment[Self.left] != nil }

    /// Passes a socket to the next program run in this process, and returns the environment
    /// variables by which that program finds the socket.
    ///
    /// - Parameters:
    ///   - socket: The socket, which stays open.
    ///   - process: The number of the process.
    /// - Returns: The variables; nil if the process has too many open files.
    package static func succession(
        of socket: ListeningSocket,
        process: Int32 = getpid()
    ) -> [String: String]? {
        guard let count = socket.leave() else { return nil }
        return [
            "LISTEN_PID": "\(process)", "LISTEN_FDS": "\(count)", left: "\(count)",
            path: socket.path ?? "",
        ]
    }

    /// A state that is reported to the service manager.
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// Tells the service manager the state of this process.
    ///
    /// Does nothing without one, and ignores a service manager that cannot be reached.
    package func notify(_ state: State) {
        guard let path = environment["NOTIFY_SOCKET"], path.first == "/" || path.first == "@" else {
            return
        }
        let text = Array(state.rawValue.utf8)
        _ = cphotos_send_datagram(path, text, text.count)
    }
}
