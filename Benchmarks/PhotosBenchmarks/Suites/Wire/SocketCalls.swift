import Dispatch
import Foundation
import LibraryService
import RemoteLibrary

/// Measures calls over a socket between two threads: a request of 64 bytes and a reply.
struct SocketCalls {
    private let client: Descriptor
    private let daemon: Descriptor

    init() throws {
        var numbers: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) == 0 else {
            throw BenchmarkError(description: "There is no socket.")
        }
        client = Descriptor(owning: numbers[0])
        daemon = Descriptor(owning: numbers[1])
    }

    /// Returns the median time of a call, in microseconds.
    func time(replyLength: Int, runs: Int) throws -> Double {
        let reply = [UInt8](repeating: 7, count: replyLength)
        let server = Thread { [daemon] in
            let writer = FrameWriter(socket: daemon.number)
            var reader = FrameReader(socket: daemon.number)
            while let request = try? reader.receive() {
                for frame in Frame.frames(replyingTo: request.request, body: reply) {
                    try? writer.send(frame)
                }
            }
        }
        server.start()
        let writer = FrameWriter(socket: client.number)
        var reader = FrameReader(socket: client.number)
        var assembler = MessageAssembler(side: .client)
        var times: [Double] = []
        for number in 1...UInt64(runs) {
            let start = DispatchTime.now().uptimeNanoseconds
            try writer.send(
                Frame(.request, request: number, body: [UInt8](repeating: 1, count: 64))
            )
            while let frame = try reader.receive() {
                if try assembler.receive(frame) != nil { break }
            }
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000)
        }
        shutdown(client.number, Int32(SHUT_RDWR))
        return median(times)
    }
}
