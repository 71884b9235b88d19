import CLinuxShim
import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization

// A daemon whose library is a journal, and clients of it, as processes that tests kill.
//
//     daemon-stand-in serve SOCKET JOURNAL [COUNT POINT]    kills itself at a point of a change
//     daemon-stand-in activated JOURNAL IDLE-MILLISECONDS   uses a socket that was passed on
//     daemon-stand-in write SOCKET NAME                     commits until it is killed
//     daemon-stand-in fork SOCKET                           uses a library after fork(2)

/// Kills this process at the chosen point of the chosen change.
final class Fate: Sendable {
    private let point: KillPoint?
    private let remaining: Mutex<Int>

    init(_ count: Int, _ point: KillPoint?) {
        remaining = Mutex(count)
        self.point = point
    }

    func reach(_ reached: KillPoint) {
        guard reached == point else { return }
        let isReached = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
        if isReached { kill(getpid(), SIGKILL) }
    }
}

func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(3)
}

func serve(_ listener: ListeningSocket, journal: String, fate: Fate, idleTime: Duration?) throws {
    let engine = FakeEngine(journal: try ChangeJournal(path: journal), reach: fate.reach)
    // Nothing is held here.
    engine.release()
    var configuration = DaemonConfiguration(opener: engine, softwareVersion: "stand-in")
    configuration.idleTime = idleTime
    // A test is one program, and may have 64 clients and others that it kills.
    configuration.limits.connectionsPerProgram = 128
    // As in the daemon.
    let quietWatch = QuietWatch(after: .milliseconds(200))
    configuration.quietWatch = quietWatch
    guard let server = DaemonServer(configuration, listener: listener),
        quietWatch.start({ [weak server] in
            server?.releaseMemory()
            cphotos_trim_heap()
            return true
        })
    else { exit(4) }
    Activation(environment: ProcessInfo.processInfo.environment).notify(.ready)
    server.run()
    Activation(environment: ProcessInfo.processInfo.environment).notify(.stopping)
}

let arguments = CommandLine.arguments
// As in the daemon: an arena per thread would keep what many short connections freed.
cphotos_keep_heap_small()
do {
    switch arguments.dropFirst().first {
    case "serve":
        let listener = try ListeningSocket(path: arguments[2])
        let fate =
            arguments.count > 5
            ? Fate(Int(arguments[4]) ?? 1, KillPoint(rawValue: arguments[5])) : Fate(0, nil)
        try serve(listener, journal: arguments[3], fate: fate, idleTime: nil)
    case "activated":
        let activation = Activation(environment: ProcessInfo.processInfo.environment)
        guard let listener = try activation.socket() else { exit(5) }
        // The programs that a daemon starts must not inherit the socket.
        guard fcntl(3, F_GETFD) & FD_CLOEXEC != 0 else { exit(6) }
        let idle = Duration.milliseconds(Int(arguments[3]) ?? 0)
        try serve(listener, journal: arguments[2], fate: Fate(0, nil), idleTime: idle)
    case "write":
        let library = try RemoteLibrary(
            RemoteConfiguration(socketPath: arguments[2], softwareVersion: "writer")
        )
        var number = 0
        while true {
            let mark = ChangeOperation(
                request: "\(arguments[3]) \(number)",
                action: .deleteAssets([])
            )
            _ = try library.commit(
                CommitRequest(changes: ChangeSet(operations: [mark]))
            )
            number += 1
        }
    case "fork":
        var library: RemoteLibrary? = try RemoteLibrary(
            RemoteConfiguration(socketPath: arguments[2], softwareVersion: "fork")
        )
        let child = cphotos_fork()
        if child == 0 {
            var isRefused = false
            do throws(LibraryError) {
                _ = try library?.status()
            } catch {
                isRefused = error.code == .invalidRequest
            }
            // Neither of them may disturb the parent.
            library?.close()
            library = nil
            _exit(isRefused ? 0 : 6)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        guard status == 0 else { exit(7) }
        _ = try library?.status()
        library?.close()
    default: exit(2)
    }
} catch {
    fail(error)
}
