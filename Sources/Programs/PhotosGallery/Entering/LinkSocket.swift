internal import Foundation
internal import Glibc

/// Issues one-time sign-in links to other programs of the same user, over a socket that only this
/// user can connect to.
///
/// Each connection receives one link. The socket's name identifies the library and the port. The
/// stale socket of a killed server refuses connections and is removed.
final class LinkSocket: Sendable {
    private let folder: LinkFolder
    private let name: String
    private let descriptor: Int32

    /// Binds the socket and starts accepting connections on a thread.
    ///
    /// - Parameters:
    ///   - library: The library's folder.
    ///   - port: The port that the server listens on.
    ///   - makeLink: Makes the link for a connection.
    /// - Throws: ``GalleryError`` when the socket cannot be created.
    init(library: URL, port: Int, makeLink: @escaping @Sendable () -> URL?) throws {
        folder = try LinkFolder()
        name = Self.prefix(of: library) + "\(port).sock"
        let socket = try Self.make()
        let file = folder.path + "/" + name
        unlink(file)
        let isListening: Bool = try folder.withShortPath(of: name) { path in
            UnixSocket.withAddress(of: path) { bind(socket, $0, $1) } == 0
                && chmod(path, 0o600) == 0
                && listen(socket, 16) == 0
        }
        guard isListening else {
            close(socket)
            throw GalleryError.noLinkFolder(folder.path)
        }
        descriptor = socket
        Thread.detachNewThread {
            while true {
                let client = accept(socket, nil, nil)
                if client < 0 {
                    // `accept` fails with EINVAL after shutdown; other errors are temporary.
                    if errno == EINVAL { break }
                    usleep(100_000)
                    continue
                }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                let line = Array(((makeLink()?.absoluteString ?? "") + "\n").utf8)
                _ = send(client, line, line.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
            close(socket)
        }
    }

    /// Stops accepting connections and removes the socket.
    func stop() {
        unlink(folder.path + "/" + name)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    // MARK: - Requesting a link

    /// Requests a one-time sign-in link from the running server of a library.
    ///
    /// - Parameters:
    ///   - library: The library's folder.
    ///   - port: The server's port; nil if only one server serves the library.
    /// - Returns: An unused link.
    /// - Throws: ``GalleryError`` when no server serves the library, or several do and `port` is
    ///   nil.
    static func ask(library: URL, port: Int?) throws -> URL {
        let folder = try LinkFolder()
        let prefix = prefix(of: library)
        var found: [(port: Int, socket: Int32)] = []
        defer { for one in found { close(one.socket) } }
        for name in folder.names where name.hasPrefix(prefix) && name.hasSuffix(".sock") {
            guard let number = Int(name.dropFirst(prefix.count).dropLast(5)),
                port == nil || port == number
            else { continue }
            let socket = try make()
            let status = try folder.withShortPath(of: name) { path in
                UnixSocket.withAddress(of: path) { connect(socket, $0, $1) == 0 ? 0 : errno }
            }
            if status == 0 {
                found.append((number, socket))
            } else {
                close(socket)
                if status == ECONNREFUSED { unlink(folder.path + "/" + name) }
            }
        }
        guard let one = found.first else {
            throw GalleryError.notServed(library.path(percentEncoded: false), port: port)
        }
        guard found.count == 1 else { throw GalleryError.servedTwice(found.map(\.port).sorted()) }
        let text = read(one.socket).prefix { !$0.isNewline }
        guard let link = URL(string: String(text)), link.fragment != nil else {
            throw GalleryError.notServed(library.path(percentEncoded: false), port: port)
        }
        return link
    }

    private static func read(_ socket: Int32) -> String {
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 65_536 {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Sockets

    /// Returns the prefix of a library's socket names, which contains a hash of the library's path.
    ///
    /// A file name is limited to 255 bytes, and a path can be longer.
    private static func prefix(of library: URL) -> String {
        let path = library.path(percentEncoded: false)
        var resolved = path
        if let real = realpath(path, nil) {
            resolved = String(cString: real)
            free(real)
        }
        return Digest.sha256(Data(resolved.utf8)).prefix(32) + "-"
    }

    private static func make() throws -> Int32 {
        let number = UnixSocket.make()
        guard number >= 0 else {
            throw GalleryError.noSocket(String(cString: strerror(errno)))
        }
        return number
    }
}
