import RemoteLibrary
import Testing

/// The credit of a connection, without a connection.
@Suite(.timeLimit(.minutes(2))) struct CreditWindowTests {
    private let start = SuspendingClock.now

    private func reply(_ length: Int) -> FrameHeader {
        FrameHeader(.reply, request: 1, bodyLength: length)
    }

    @Test func windowClosesAboveItsLimit() throws {
        var window = CreditWindow()
        window.send(reply(CreditWindow.limit - FrameHeader.length), at: start)
        #expect(window.isOpen && window.deadline == nil)
        window.send(FrameHeader(.progress, request: 1, bodyLength: 100), at: start)
        #expect(window.isOpen)
        window.send(reply(0), at: start + .seconds(1))
        #expect(!window.isOpen)
        #expect(window.deadline == start + .seconds(1) + CreditWindow.patience)
        // A part of what is needed extends the deadline, and the rest opens the window.
        try window.acknowledge(Credit(count: 1), at: start + .seconds(2))
        #expect(!window.isOpen)
        #expect(window.deadline == start + .seconds(2) + CreditWindow.patience)
        try window.acknowledge(Credit(count: 15), at: start + .seconds(3))
        #expect(window.isOpen && window.deadline == nil)
    }

    @Test func wrongAcknowledgmentsAreErrors() {
        var window = CreditWindow()
        window.send(reply(0), at: start)
        for count in [0, 17, UInt64.max] {
            #expect(throws: TransportError.self) {
                try window.acknowledge(Credit(count: count), at: start)
            }
        }
    }

    @Test func receiptsKeepTheWindowOpen() throws {
        var window = CreditWindow()
        var receipts = CreditReceipts()
        for index in 0..<1_000 {
            let frame = reply(index * 977 % 1_000_000)
            #expect(window.isOpen)
            window.send(frame, at: start)
            if let credit = receipts.receive(frame) { try window.acknowledge(credit, at: start) }
        }
        #expect(window.unacknowledged < CreditReceipts.step)
    }

    @Test func receiptsAreAcknowledgedFromTheStep() {
        var receipts = CreditReceipts()
        // One byte less than the step, with the header.
        let most = CreditReceipts.step - FrameHeader.length - 1
        #expect(receipts.receive(reply(most)) == nil)
        #expect(receipts.receive(FrameHeader(.progress, request: 1, bodyLength: 100)) == nil)
        let sum = CreditReceipts.step - 1 + FrameHeader.length
        #expect(receipts.receive(reply(0)) == Credit(count: UInt64(sum)))
        #expect(receipts.receive(reply(most)) == nil)
        #expect(receipts.receive(reply(CreditReceipts.step)) != nil)
    }

    @Test func creditHasTheDocumentedForm() throws {
        let credit = Credit(count: 0x0102)
        #expect(credit.body == [2, 1, 0, 0, 0, 0, 0, 0])
        #expect(try Credit(body: credit.body) == credit)
        #expect(throws: TransportError.self) { try Credit(body: [1]) }
    }
}
