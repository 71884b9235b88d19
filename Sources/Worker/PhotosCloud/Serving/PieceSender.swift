internal import FoundationEssentials
internal import StoreProtocol
internal import Synchronization

/// Sends the bytes of an object in pieces, as far as the host permits.
///
/// A connection delivers small pieces, so some are collected before they are sent.
final class PieceSender: Sendable {
    private let number: Int64
    private let credits: AsyncSlots
    private let sender: MessageSender
    private let collected = Mutex(Data())

    /// The number of bytes from which a piece is sent.
    private static let threshold = 256 << 10

    init(number: Int64, credits: AsyncSlots, sender: MessageSender) {
        self.number = number
        self.credits = credits
        self.sender = sender
    }

    /// Takes the next bytes, and returns when it may take more.
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

    /// Sends what was collected.
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
