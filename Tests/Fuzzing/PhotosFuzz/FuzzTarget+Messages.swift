import CLinuxShim
import Foundation
import Glibc
import Media
import PhotoModel
import WorkerProtocol

/// The messages between host and worker: either process may be taken over by a file.
extension FuzzTarget {
    static let messages: [FuzzTarget] = [
        FuzzTarget("request", "messages from the host to a worker", seeds: requests) {
            receive(WorkerRequest.self, from: $0)
        },
        FuzzTarget("reply", "messages from a worker to the host", seeds: replies) {
            receive(WorkerReply.self, from: $0)
        },
    ]

    /// Receives messages until the bytes end; what was decoded can be encoded again.
    private static func receive<Message: Codable & Equatable>(
        _ type: Message.Type,
        from bytes: ByteView
    ) {
        var pair: [Int32] = [-1, -1]
        guard bytes.count <= 64 << 10,
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0
        else { return }
        defer { close(pair[1]) }
        // The buffer of a socket is larger than the longest input, so this does not wait.
        let sent = write(pair[0], bytes.bytes.baseAddress, bytes.count)
        close(pair[0])
        guard sent == bytes.count else { return }
        let connection = MessageConnection(socket: pair[1])
        while let (message, descriptor) = try? connection.receive(type) {
            precondition(descriptor == nil, "a descriptor that was not sent")
            guard let encoded = try? JSONEncoder().encode(message) else { continue }
            let again = try? JSONDecoder().decode(type, from: encoded)
            precondition(again == message, "\(message) changes when it is encoded")
        }
    }

    // MARK: - Seeds

    @Sendable private static func requests() throws -> [Data] {
        let probe = ProbeRequest(filename: "IMG_0001.JPG", renditionSide: 256, wantsTags: true)
        return try framed([
            WorkerRequest.probe(probe), .adjustments, .source, .memory, .movieFacts, .output,
            .frameMemory, .drawnFrame(PixelSize(width: 4, height: 3)), .drawnFrame(nil), .cancel,
        ])
    }

    @Sendable private static func replies() throws -> [Data] {
        let facts = MediaFacts(format: .jpeg, contentType: "public.jpeg")
        return try framed([
            WorkerReply.hello(
                version: WorkerProtocolVersion.current,
                sandbox: SandboxReport(landlockABI: 4, hasSeccomp: true)
            ),
            .probed(facts, firstRendition: nil), .encoded(length: 1000), .failed(reason: "no"),
            .unsupported(reason: "no"),
        ])
    }

    /// The messages as they are sent, one by one and all in a row.
    private static func framed(_ messages: [some Encodable]) throws -> [Data] {
        let single = try messages.map { message in
            let body = try JSONEncoder().encode(message)
            return withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) } + body
        }
        return single + [single.reduce(Data(), +)]
    }
}
