import LibraryService
import RemoteLibrary
import Testing

/// The first and last messages, and the choice of a protocol.
@Suite(.timeLimit(.minutes(2))) struct HandshakeTests {
    private func daemon(_ protocols: ClosedRange<Int>) -> DaemonHello {
        DaemonHello(protocols: protocols, softwareVersion: "1.0")
    }

    @Test func highestCommonProtocolIsChosen() {
        #expect(ProtocolVersions.highestCommon(1...1, with: daemon(1...1)) == 1)
        #expect(ProtocolVersions.highestCommon(2...3, with: daemon(1...2)) == 2)
        #expect(ProtocolVersions.highestCommon(2...3, with: daemon(3...4)) == 3)
        #expect(ProtocolVersions.highestCommon(2...3, with: daemon(1...9)) == 3)
        #expect(ProtocolVersions.highestCommon(2...3, with: daemon(4...5)) == nil)
        #expect(ProtocolVersions.highestCommon(2...3, with: daemon(0...1)) == nil)
        var reversed = daemon(1...1)
        reversed.lowestProtocol = 5
        #expect(ProtocolVersions.highestCommon(1...5, with: reversed) == nil)
        #expect(ProtocolVersions.accepts(ClientHello(chosenProtocol: 1, softwareVersion: "")))
        #expect(!ProtocolVersions.accepts(ClientHello(chosenProtocol: 0, softwareVersion: "")))
    }

    @Test func formIsOneThatBothKnow() {
        var hello = daemon(1...1)
        #expect(ProtocolVersions.form(preferring: .json, with: hello) == .json)
        hello.features = ["json", "compression"]
        #expect(ProtocolVersions.form(preferring: .binary, with: hello) == .json)
        hello.features = []
        #expect(ProtocolVersions.form(preferring: .binary, with: hello) == nil)
    }

    @Test func messagesAreJSON() throws {
        let daemon = DaemonHello(
            protocols: 1...2,
            softwareVersion: "1.0",
            features: ["binary"],
            nonce: [1, 2]
        )
        let frame = try Frame.hello(daemon)
        #expect(
            String(decoding: frame.body, as: UTF8.self)
                == #"{"features":["binary"],"highestProtocol":2,"lowestProtocol":1,"#
                + #""nonce":[1,2],"softwareVersion":"1.0"}"#
        )
        #expect(try frame.handshake(DaemonHello.self) == daemon)
        let client = ClientHello(
            chosenProtocol: 1,
            softwareVersion: "1.0",
            library: "/photos",
            restriction: .withoutHidden
        )
        #expect(try Frame.hello(client).handshake(ClientHello.self) == client)
        let goodbye = Goodbye(.reconnect, "A newer version was installed.")
        #expect(try Frame.goodbye(goodbye).handshake(Goodbye.self) == goodbye)
    }

    @Test func messagesOfLaterVersionsDecode() throws {
        let text = #"{"reason":"tired","message":"","added":{"x":[1]}}"#
        let goodbye = try Frame(.goodbye, body: Array(text.utf8)).handshake(Goodbye.self)
        #expect(goodbye.reason == Goodbye.Reason(rawValue: "tired"))
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "\u{0}", #"{"lowestProtocol":1e99}"#,
        // A restriction that the daemon does not know must not be ignored.
        #"{"chosenProtocol":1,"softwareVersion":"","form":"binary","restriction":"withoutFaces"}"#,
    ])
    func malformedMessageIsAnError(_ text: String) {
        let frame = Frame(.hello, body: Array(text.utf8))
        #expect(throws: TransportError.self) { try frame.handshake(ClientHello.self) }
        #expect(throws: TransportError.self) { try frame.handshake(DaemonHello.self) }
        #expect(throws: TransportError.self) {
            try Frame(.reply, body: Array(text.utf8)).handshake(Goodbye.self)
        }
    }
}
