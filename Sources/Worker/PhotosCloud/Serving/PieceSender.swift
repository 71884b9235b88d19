internal import FoundationEssentials
internal import StoreProtocol
internal import Synchronization

/// Sends the bytes of an object to the host in pieces; waits when the host permits no more pieces.
///
/// A store's connection delivers small amounts of bytes, which are collected into larger pieces.
final class PieceSender: Sendable {
    private let number: Int64
    private let credits: AsyncSlots
    private let sender: MessageSender
    private let collected = Mutex(Data())

    /// The number of collected bytes at which a piece is sent.
    private static let threshold = 256 << 10

    init(number: Int64, credits: AsyncSlots, sender: MessageSender) {
        self.number = number
        self.credits = credits
        self.sender = sender
    }

    /// Collects bytes and sends them in larger pieces; returns when more bytes can be collected.
    func take(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let isFull = collected.withLock { collected in
                let part = rest.prefix(StoreLimits.piece - collected.count)
                collected.append(contentsOf: part)
                rest = rest.dropFirst(part.count)
                return collected.count >= Self.threshold
            }
            if isFull { try await flush() }
        }
    }

    /// Sends the collected bytes, if there are any.
    func flush() async throws {
        guard collected.withLock({ !$0.isEmpty }) else { return }
        try await credits.take()
        let piece = collected.withLock { collected in
            defer { collected = Data() }
            return collected
        }
        sender.send(StoreReply.piece(number, piece))
    }
}
