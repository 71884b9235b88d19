import Foundation
import StoreClients
import Synchronization

/// A TCP server on this computer that answers what a test says, valid or not.
///
/// `script` gets each request and returns what to do on its connection.
final class ScriptedServer: Sendable {
    /// A request as it arrived.
    struct Request: Sendable {
        /// The number of the request, from 0.
        var number: Int
        var head: String
        var body: [UInt8]

        var method: String { String(head.prefix { $0 != " " }) }
        /// The path with the query.
        var target: String { String(head.split(separator: " ").dropFirst().first ?? "") }

        /// Returns the value of a header.
        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == name {
                    return parts[1].trimmingPrefix(while: { $0 == " " }).description
                }
            }
            return nil
        }
    }

    enum Step: Sendable {
        case send([UInt8])
        /// Sends the same bytes until the client goes away.
        case sendForever([UInt8])
        /// Keeps the connection open without a word until the client goes away.
        case hang
        case close
    }

    let port: Int
    private let listener: Int32
    private let script: @Sendable (Request) -> [Step]
    private let requests = Mutex<[Request]>([])
    private let readsBodies: Bool
    private let isStopped = Mutex(false)

    /// Starts the server; without `readsBodies`, it answers as soon as it has the head.
    init(readsBodies: Bool = true, _ script: @escaping @Sendable (Request) -> [Step]) throws {
        self.script = script
        self.readsBodies = readsBodies
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) + listen(listener, 64)
                    + getsockname(listener, pointer, &length)
            }
        }
        guard result == 0 else { throw Failure() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        // Not Dispatch, whose threads Swift's tasks need.
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread { self.serve(connection) }
            }
            // Not in `stop()`: the number could become the listener of another server, whose
            // connections this thread would then accept.
            close(listener)
        }
    }

    struct Failure: Error {}

    /// Ends the server; its connections end with their clients.
    func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        // The number may belong to another file after the first call.
        guard isFirst else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// All requests so far.
    var received: [Request] { requests.withLock { $0 } }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var rest: [UInt8] = []
        while let request = next(connection, &rest) {
            for step in script(request) {
                switch step {
                case .send(let bytes): guard write(connection, bytes) else { return }
                case .sendForever(let bytes): while write(connection, bytes) {}
                case .hang:
                    while receive(connection, &rest) {}
                    return
                case .close: return
                }
            }
        }
    }

    private func next(_ connection: Int32, _ rest: inout [UInt8]) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = rest.firstRange(of: end) {
                let head = String(decoding: rest[..<range.upperBound], as: UTF8.self)
                var request = Request(number: 0, head: head, body: [])
                let size = readsBodies ? request.header("content-length").flatMap(Int.init) ?? 0 : 0
                while rest.count - range.upperBound < size {
                    guard receive(connection, &rest) else { return nil }
                }
                request.body = Array(rest[range.upperBound..<range.upperBound + size])
                rest.removeFirst(range.upperBound + size)
                return requests.withLock { requests in
                    request.number = requests.count
                    requests.append(request)
                    return request
                }
            }
            guard receive(connection, &rest) else { return nil }
        }
    }

    private func receive(_ connection: Int32, _ rest: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        rest += buffer.prefix(count)
        return true
    }

    private func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}

/// An answer of HTTP.
func answer(
    _ status: Int = 200,
    _ headers: [String] = [],
    body: [UInt8] = [],
    length: Int? = nil
) -> [UInt8] {
    let lines =
        ["HTTP/1.1 \(status) Text", "Content-Length: \(length ?? body.count)"] + headers + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + body
}

/// A failure as S3 reports it.
func failure(_ status: Int, _ code: String, _ headers: [String] = []) -> [UInt8] {
    let body = "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>Words</Message></Error>"
    return answer(status, headers, body: Array(body.utf8))
}
