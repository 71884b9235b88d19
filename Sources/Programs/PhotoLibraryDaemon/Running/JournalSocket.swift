internal import Foundation
internal import Glibc
internal import LibraryService

/// A connection to the socket of systemd's journal, which accepts records with fields.
///
/// A record is one datagram. Sending never blocks. If the journal does not accept a record, the
/// caller writes the record to standard error, which is connected to the journal as well.
///
/// Specification: https://systemd.io/JOURNAL_NATIVE_PROTOCOL/
final class JournalSocket: Sendable {
    static let standardPath = "/run/systemd/journal/socket"

    private let socket: Descriptor

    /// Connects to the journal; returns nil if standard error is not connected to the journal or
    /// the socket cannot be reached.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - environment: The environment variables, of which `JOURNAL_STREAM` has the device and the
    ///     inode of the stream that systemd connected to the journal.
    init?(path: String, environment: [String: String]) {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0,
            stream == "\(status.st_dev):\(status.st_ino)"
        else { return nil }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_UNIX, type, 0)
        guard number >= 0 else { return nil }
        socket = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isConnected = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        guard isConnected else { return nil }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { return nil }
    }

    /// Sends a record to the journal.
    ///
    /// - Parameter fields: The names, of `A` to `Z`, digits and `_`, with their values.
    /// - Returns: False if the journal did not take it.
    func send(_ fields: [(name: String, value: String)]) -> Bool {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += name.utf8
            if value.utf8.contains(UInt8(ascii: "\n")) {
                // With its length, since a line ends a value otherwise.
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return Glibc.send(socket.number, bytes, bytes.count, flags) == bytes.count
    }
}
