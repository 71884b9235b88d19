import CLinuxShim
import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A service manager starts the daemon, and the daemon ends when it is idle.
@Suite(.timeLimit(.minutes(2))) struct ActivationTests {
    private let folder: SocketFolder

    init() throws { folder = try SocketFolder() }

    private func configuration() -> RemoteConfiguration {
        RemoteConfiguration(socketPath: folder.socket, softwareVersion: "2.0")
    }

    /// A daemon is started for each of several clients, and loses none of their changes.
    @Test func idleDaemonEndsAndStartsAgain() throws {
        mkdir(folder.path + "/s", 0o700)
        let number = cphotos_listen(folder.socket, 0o600)
        try #require(number >= 0)
        let listener = Descriptor(owning: number)
        let rounds = 5
        for round in 1...rounds {
            // The client connects before there is a daemon.
            let configuration = configuration()
            let call = BackgroundCall {
                let library = try RemoteLibrary(configuration)
                defer { library.close() }
                return try library.commit(CommitRequest(mark: "\(round)")).version
            }
            var entry = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 20_000) == 1)
            let daemon = try StandIn(
                activatedBy: listener.number,
                journal: folder.journal,
                idleMilliseconds: 50
            )
            #expect(try call.value() == Int64(round))
            #expect(daemon.wait() == 0)
            // The socket belongs to the service manager.
            #expect(access(folder.socket, F_OK) == 0)
        }
        #expect(try ChangeJournal.entries(path: folder.journal).count == rounds)
    }

    @Test func stateIsReported() throws {
        mkdir(folder.path + "/s", 0o700)
        let listener = Descriptor(owning: cphotos_listen(folder.socket, 0o600))
        let path = folder.path + "/notify"
        let messages = try DatagramSocket(path)
        let daemon = try StandIn(
            activatedBy: listener.number,
            journal: folder.journal,
            idleMilliseconds: 10,
            environment: "NOTIFY_SOCKET=\(path)"
        )
        #expect(try messages.receive() == "READY=1")
        #expect(try messages.receive() == "STOPPING=1")
        #expect(daemon.wait() == 0)
    }

    @Test func variablesOfOthersAreIgnored() throws {
        for environment in [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "1", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"],
            ["LISTEN_PID": "\(getpid())x", "LISTEN_FDS": "1"],
        ] {
            #expect(try Activation(environment: environment).socket() == nil)
        }
        // More than one socket.
        let two = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"]
        #expect(throws: LibraryError.self) { try Activation(environment: two).socket() }
        // A service manager that is gone.
        let gone = ["NOTIFY_SOCKET": folder.path + "/none"]
        Activation(environment: gone).notify(.ready)
        Activation(environment: ["NOTIFY_SOCKET": "relative"]).notify(.ready)
    }

    // MARK: - The listening socket

    private func permissions(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func socketIsPrivate() throws {
        let former = umask(0)
        defer { umask(former) }
        let listener = try ListeningSocket(path: folder.socket)
        #expect(permissions(folder.socket) == 0o600)
        #expect(permissions(folder.path + "/s") == 0o700)
        let error = #expect(throws: LibraryError.self) {
            try ListeningSocket(path: folder.socket)
        }
        #expect(error?.code == .busy)
        _ = listener
    }

    @Test func staleSocketIsReplaced() throws {
        for _ in 0..<2 {
            // Its daemon died without removing it.
            mkdir(folder.path + "/s", 0o700)
            close(cphotos_listen(folder.socket, 0o600))
            let failure = #expect(throws: ConnectionFailure.self) {
                try RemoteLibrary(configuration())
            }
            guard case .unreachable = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            let world = try DaemonWorld(folder: folder)
            #expect(try RemoteLibrary(configuration()).status().version == 0)
            world.server.stop(.shutdown)
            #expect(world.waitForEnd())
            #expect(access(folder.socket, F_OK) != 0)
        }
    }

    @Test func openFolderIsRefused() throws {
        mkdir(folder.path + "/s", 0o700)
        chmod(folder.path + "/s", 0o755)
        let error = #expect(throws: LibraryError.self) {
            try ListeningSocket(path: folder.socket)
        }
        #expect(error?.code == .noPermission)
        // An administrator's socket may be in one.
        #expect(try ListeningSocket(path: folder.socket, mode: 0o660).path == folder.socket)
        #expect(throws: LibraryError.self) {
            try ListeningSocket(path: folder.path + "/" + String(repeating: "x", count: 120))
        }
    }

    @Test func idleDaemonEnds() throws {
        let isNeeded = Monitor(true)
        let world = try DaemonWorld(folder: folder) { configuration in
            configuration.idleTime = .milliseconds(20)
            configuration.isNeeded = { isNeeded.withLock(\.self) }
        }
        let library = try world.library()
        isNeeded.update { $0 = false }
        // A client keeps it.
        for _ in 0..<20 { _ = try library.status() }
        library.close()
        #expect(world.waitForEnd())
        #expect(access(folder.socket, F_OK) != 0)
    }

    /// Clients that connect while the daemon decides to end are served, or told that it is gone.
    @Test func connectionsDuringTheEndAreServed() throws {
        var (served, refused) = (0, 0)
        for _ in 0..<40 {
            let world = try DaemonWorld(folder: folder) { $0.idleTime = .milliseconds(1) }
            do throws(ConnectionFailure) {
                let library = try RemoteLibrary(configuration())
                #expect((try? library.status())?.version == 0)
                library.close()
                served += 1
            } catch {
                guard case .unreachable = error else {
                    Issue.record("\(error)")
                    continue
                }
                refused += 1
            }
            #expect(world.waitForEnd())
        }
        #expect(served + refused == 40)
    }
}

/// A socket at which a service manager receives states.
final class DatagramSocket: Sendable {
    private let socket: Descriptor

    init(_ path: String) throws {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(number >= 0)
        socket = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    func receive() throws -> String {
        var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 20_000) == 1)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(socket.number, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
