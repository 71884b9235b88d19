/// A nonce that the connected process has to send back, on kernels that cannot identify that
/// process.
///
/// SO_PEERCRED alone returns a process number, which may be reused by a later process. The kernel
/// attaches the sender's number to the answer. While the process that was opened first is alive, no
/// other process has its number.
package struct PeerChallenge: Sendable {
    /// The length of a nonce, in bytes.
    package static let length = 16

    /// The bytes that the connected process has to send back.
    package let nonce: [UInt8]
    let process: PeerProcess
    let userID: UInt32

    init(process: PeerProcess, userID: UInt32) {
        var random = SystemRandomNumberGenerator()
        nonce = (0..<Self.length).map { _ in UInt8.random(in: 0...255, using: &random) }
        self.process = process
        self.userID = userID
    }

    /// Returns whether an answer came from the process that connected.
    ///
    /// - Parameters:
    ///   - answer: The bytes of the answer.
    ///   - sender: The process that the kernel attached to the answer, or 0.
    /// - Returns: Whether the bytes are the challenge's and the process is the same and alive.
    package func isAnswered(by answer: [UInt8], from sender: Int32) -> Bool {
        var difference: UInt8 = answer.count == nonce.count ? 0 : 1
        for (one, other) in zip(answer, nonce) { difference |= one ^ other }
        return difference == 0 && sender == process.processID && !process.hasEnded
    }
}
