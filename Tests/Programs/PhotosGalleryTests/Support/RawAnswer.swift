import Foundation
import Glibc
import Testing

/// A raw response of a server, parsed here because client libraries would repair the defects to
/// test.
struct RawAnswer {
    let status: Int
    /// By lowercase name.
    let headers: [String: String]
    let body: Data

    init(_ bytes: Data) throws {
        let end = try #require(bytes.firstRange(of: Data("\r\n\r\n".utf8)), "no answer")
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        status = try #require(
            lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        )
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
        body = Data(bytes[end.upperBound...])
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// The code of an error.
    var code: String? { (object["error"] as? [String: Any])?["code"] as? String }

    /// The size in a JPEG's frame header, or nil if the body is not a JPEG.
    var jpegSize: (width: Int, height: Int)? {
        let bytes = [UInt8](body)
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            if [0xC0, 0xC1, 0xC2].contains(bytes[place + 1]) {
                return (number(place + 7), number(place + 5))
            }
            place += 2 + number(place + 2)
        }
        return nil
    }
}

/// A connection to a port of this machine, or to a Unix domain socket.
final class RawConnection {
    private let number: Int32

    /// Connects to an address, from one that this machine has.
    init(port: Int, to address: String = "127.0.0.1", from own: String? = nil) throws {
        let family = address.contains(":") ? AF_INET6 : AF_INET
        number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(number >= 0)
        if let own {
            try #require(Self.with(own, 0) { bind(number, $0, $1) } == 0, "\(own) is not ours")
        }
        let status = try Self.with(address, port) { connect(number, $0, $1) }
        // Not required, because a test may expect that nothing listens.
        guard status == 0 else { throw Refused(place: "\(address) \(port)") }
        waitForAMinute()
    }

    /// Connects to a Unix domain socket.
    init(path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(number >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = number
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
        }
        guard status == 0 else { throw Refused(place: path) }
        waitForAMinute()
    }

    /// The error for a port or socket without a listener.
    struct Refused: Error {
        let place: String
    }

    private static func with(
        _ text: String,
        _ port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(text, "\(port)", &hints, &found) == 0, "\(text)")
        defer { freeaddrinfo(found) }
        let first = try #require(found).pointee
        return body(try #require(first.ai_addr), first.ai_addrlen)
    }

    private func waitForAMinute() {
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            number,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    deinit { close(number) }

    /// Sends bytes; a server that does not accept all of them may close earlier.
    func send(_ bytes: Data) {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.send(
                    number,
                    buffer.baseAddress.map { $0 + sent },
                    buffer.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Returns the next data, or nil at the end.
    func receive() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(number, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer.prefix(count)) : nil
    }

    /// Sends bytes, and returns everything received until the other end closes.
    func exchange(_ bytes: Data) -> Data {
        send(bytes)
        var answer = Data()
        while let part = receive() { answer += part }
        return answer
    }

    /// Returns everything received until a text occurred a number of times.
    func text(until wanted: String, times: Int) -> String {
        var all = ""
        while let part = receive() {
            all += String(decoding: part, as: UTF8.self)
            if all.components(separatedBy: wanted).count > times { return all }
        }
        return all
    }

    /// Reads on until a text is received, and returns whether it was.
    func read(until text: String) -> Bool {
        var all = Data()
        while let part = receive() {
            all += part
            if all.firstRange(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}
