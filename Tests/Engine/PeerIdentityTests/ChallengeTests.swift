import Foundation
import ProgramAccess
import TestSupport
import Testing

@testable import PeerIdentity

/// Kernels that cannot name the connecting process.
@Suite(.timeLimit(.minutes(2))) struct ChallengeTests {
    let world: PeerWorld
    let identifier: PeerIdentifier

    init() throws {
        world = try PeerWorld()
        var sources = PeerIdentifier.Sources()
        sources.usesPeerDescriptors = false
        identifier = PeerIdentifier(sources: sources)
    }

    private func identity(_ code: String) throws -> PeerIdentity {
        let peer = try world.connect(code)
        let challenge = try #require(identifier.identify(peer.socket).challenge)
        peer.send(challenge.nonce)
        let answer = peer.answer()
        let isAnswered = challenge.isAnswered(by: answer.bytes, from: answer.sender)
        return identifier.identify(peer.socket, after: challenge, isAnswered: isAnswered).0
    }

    @Test("The process that connected answers")
    func honest() throws {
        let identity = try identity("s.sendall(s.recv(16)); s.recv(1)")
        #expect(identity.kind == .host && identity.program.identifier == PeerWorld.python)
    }

    @Test(
        "Answers of others and other answers are refused",
        arguments: [
            // A child answers, while the connector lives.
            "\nif os.fork() == 0: s.sendall(s.recv(16)); os._exit(0)\ntime.sleep(60)",
            "s.recv(16); s.sendall(bytes(16)); s.recv(1)",
            "s.sendall(s.recv(16)[:15]); s.recv(1)",
            "s.sendall(s.recv(16)[::-1] + b'x'); s.recv(1)",
            // The connector is gone when its answer is read.
            "s.sendall(s.recv(16)); os._exit(0)",
        ]
    )
    func refused(_ code: String) throws {
        let isExit = code.hasSuffix("_exit(0)")
        let peer = try world.connect(code)
        let challenge = try #require(identifier.identify(peer.socket).challenge)
        peer.send(challenge.nonce)
        if isExit { _ = peer.process.wait() }
        let answer = peer.answer()
        let isAnswered = challenge.isAnswered(by: answer.bytes, from: answer.sender)
        #expect(!isAnswered)
        let result = identifier.identify(peer.socket, after: challenge, isAnswered: isAnswered)
        #expect(result.0.kind == .unknown && result.0.problem != nil && result.1 == nil)
    }

    @Test("A connector that left its socket to a child is unknown before it is asked")
    func leftToAChild() throws {
        let peer = try world.connect("\nif os.fork() == 0: alone(); s.recv(1)\nos._exit(0)")
        _ = peer.process.wait()
        #expect(identifier.identify(peer.socket).identity?.kind == .unknown)
    }
}
