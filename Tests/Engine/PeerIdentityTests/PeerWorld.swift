import CLinuxShim
import Foundation
import Glibc
import TestSupport

@testable import PeerIdentity

/// A socket that real processes connect to.
final class PeerWorld {
    /// A connected process.
    final class Peer {
        let socket: Int32
        let process: RunningProcess

        init(socket: Int32, process: RunningProcess) {
            self.socket = socket
            self.process = process
        }

        deinit {
            close(socket)
            process.kill()
        }

        /// Receives an answer of 16 bytes and the process that sent it.
        func answer() -> (bytes: [UInt8], sender: Int32) {
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 20_000) == 1 else { return ([], 0) }
            var bytes = [UInt8](repeating: 0, count: PeerChallenge.length)
            var sender: pid_t = 0
            let count = cphotos_receive_from(socket, &bytes, bytes.count, &sender)
            return (Array(bytes.prefix(max(0, count))), sender)
        }

        func send(_ bytes: [UInt8]) { _ = cphotos_send(socket, bytes, bytes.count, -1) }
    }

    static let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path

    let folder: TemporaryFolder
    let path: String
    private let listener: Int32

    init() throws {
        // Other users of the tests connect, too, who may not enter `$TMPDIR`.
        folder = try TemporaryFolder("peer", in: URL(fileURLWithPath: "/tmp", isDirectory: true))
        chmod(folder.path, 0o755)
        path = folder.path + "/socket"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try Self.check(listener)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        precondition(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        try Self.check(
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size)
                }
            }
        )
        chmod(path, 0o666)
        try Self.check(listen(listener, 256))
        // Inherited by the sockets that it accepts.
        try Self.check(cphotos_require_senders(listener))
    }

    deinit { close(listener) }

    /// Starts a program that executes Python code, with `s` connected to the socket, and accepts
    /// its connection.
    ///
    /// Without code, it stays until it is killed.
    func connect(
        _ code: String = "s.recv(1)",
        python: String = PeerWorld.python,
        through launcher: [String] = [],
        socket: String? = nil
    ) throws -> Peer {
        let script = """
            import os, socket, sys, time
            def alone():
                # Foundation waits for all who inherited its own descriptors.
                for file in os.listdir("/proc/self/fd"):
                    if int(file) > 2 and int(file) != s.fileno():
                        try: os.close(int(file))
                        except OSError: pass
            s = socket.socket(socket.AF_UNIX)
            s.connect(\"\(socket ?? path)\")
            \(code)
            """
        let words = launcher + [python, "-I", "-S", "-c", script]
        let process = try ProcessRunner.start(words[0], Array(words.dropFirst()))
        var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 20_000) == 1 else {
            process.kill()
            throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "no peer"])
        }
        let accepted = accept(listener, nil, nil)
        try Self.check(accepted)
        return Peer(socket: accepted, process: process)
    }

    /// Copies Python into a new folder, as a program of its own.
    func program(_ name: String, in folder: String) throws -> String {
        let place = try self.folder.folder(folder)
        let copy = place.appendingPathComponent(name)
        try FileManager.default.copyItem(atPath: Self.python, toPath: copy.path)
        chmod(place.path, 0o755)
        return copy.path
    }

    private static func check(_ result: Int32) throws {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}

extension PeerIdentifier.Result {
    /// The identity; nil if a challenge has to be answered first.
    var identity: PeerIdentity? {
        if case .identified(let identity, _) = self { identity } else { nil }
    }

    var challenge: PeerChallenge? { if case .asks(let challenge) = self { challenge } else { nil } }
}
