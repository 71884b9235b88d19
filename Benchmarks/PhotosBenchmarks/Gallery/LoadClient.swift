import Foundation
import Glibc

/// A connection to a server on this machine, with one request at a time.
final class LoadClient {
    /// A response.
    struct Answer {
        var status: Int
        /// By lowercase name.
        var headers: [String: String]
        var body: Data
    }

    private let port: UInt16
    private let socket: Int32
    private var buffer = Data()

    init(port: UInt16) throws {
        self.port = port
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            throw BenchmarkError(description: "Nobody listens at port \(port).")
        }
        var one: Int32 = 1
        setsockopt(
            socket,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &one,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    deinit { close(socket) }

    /// The credentials that a signed-in browser sends.
    struct Proof {
        var cookie: String
        /// The secret that the page has in addition to the cookie.
        var secret: String
    }

    /// Requests a path and waits for the whole response.
    func get(_ path: String, as proof: Proof?) throws -> Answer {
        var text = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let proof {
            text += "Cookie: \(proof.cookie)\r\nX-Photos-Secret: \(proof.secret)\r\n"
        }
        return try answer(to: text + "\r\n")
    }

    /// Signs in with a link's token.
    func enter(_ token: String) throws -> Proof {
        struct Secret: Decodable { var secret: String }
        let body = "{\"token\":\"\(token)\"}"
        let answer = try self.answer(
            to: """
                POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r
                Origin: http://127.0.0.1:\(port)\r\nX-Photos-Gallery: 1\r
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
        )
        guard let cookie = answer.headers["set-cookie"]?.split(separator: ";").first else {
            throw BenchmarkError(description: "The gallery set no cookie: \(answer.status)")
        }
        let secret = try JSONDecoder().decode(Secret.self, from: answer.body).secret
        return Proof(cookie: String(cookie), secret: secret)
    }

    private func answer(to text: String) throws -> Answer {
        try send(Data(text.utf8))
        let end = Data("\r\n\r\n".utf8)
        var searched = buffer.startIndex
        while true {
            if let found = buffer.range(of: end, in: searched..<buffer.endIndex) {
                return try answer(headEndingAt: found)
            }
            searched = max(buffer.startIndex, buffer.endIndex - 3)
            try receive()
        }
    }

    private func answer(headEndingAt end: Range<Data.Index>) throws -> Answer {
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        guard let status, let length = headers["content-length"].flatMap({ Int($0) }) else {
            throw BenchmarkError(description: "An answer says no length: \(lines)")
        }
        while buffer.endIndex - end.upperBound < length { try receive() }
        let body = Data(buffer[end.upperBound..<end.upperBound + length])
        buffer = Data(buffer[(end.upperBound + length)...])
        return Answer(status: status, headers: headers, body: body)
    }

    private func send(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkError(description: "The server went away.") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { throw BenchmarkError(description: "The server went away.") }
        buffer.append(contentsOf: bytes[..<count])
    }

    // MARK: - Many at once

    /// Requests paths over several connections at once, and returns the seconds that it took.
    ///
    /// - Throws: When a response is not 200.
    static func load(
        _ paths: [String],
        port: UInt16,
        as proof: Proof?,
        connections: Int
    ) throws -> Double {
        let clients = try (0..<connections).map { _ in try LoadClient(port: port) }
        let problems = Problems()
        let time = seconds {
            let threads = clients.enumerated().map { number, client in
                Worker {
                    do {
                        for index in stride(from: number, to: paths.count, by: connections) {
                            let answer = try client.get(paths[index], as: proof)
                            guard answer.status == 200 else {
                                throw BenchmarkError(
                                    description: "\(paths[index]): \(answer.status)"
                                )
                            }
                        }
                    } catch {
                        problems.add(error)
                    }
                }
            }
            for thread in threads { thread.join() }
        }
        if let problem = problems.first { throw problem }
        return time
    }

    /// Errors from any thread.
    private final class Problems: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [any Error] = []

        func add(_ error: any Error) { lock.withLock { all.append(error) } }

        var first: (any Error)? { lock.withLock { all.first } }
    }

    /// A thread that can be joined.
    private final class Worker: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)

        init(_ body: @escaping () -> Void) {
            let box = Body(body)
            let done = done
            Thread.detachNewThread {
                box.run()
                done.signal()
            }
        }

        func join() { done.wait() }

        /// A box for the connection, which belongs to its one thread.
        private struct Body: @unchecked Sendable {
            let run: () -> Void

            init(_ run: @escaping () -> Void) { self.run = run }
        }
    }
}
