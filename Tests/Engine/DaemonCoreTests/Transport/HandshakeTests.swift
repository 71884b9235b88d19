import BinaryCoding
import DaemonCore
import DaemonFakes
import LibraryService
import PeerIdentity
import PhotoModel
import RemoteLibrary
import Testing

/// The first messages of a client and a daemon.
@Suite(.timeLimit(.minutes(2))) struct DaemonHandshakeTests {
    private func refusal(_ frame: Frame?) -> LibraryError? {
        guard let frame, frame.kind == .failure else { return nil }
        return try? BinaryCoder().decode(FailureBody.self, from: frame.body).error
    }

    @Test func clientOfAnotherVersionIsTold() throws {
        let world = try DaemonWorld { $0.protocols = 2...3 }
        let failure = #expect(throws: ConnectionFailure.self) { try world.library() }
        guard case .unsupportedProtocol(let daemon) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(daemon == "photolibraryd 1.0")
        #expect(failure?.libraryError().code == .connectionLost)
        // Both speak 2.
        let library = try world.library { $0.protocols = 1...2 }
        #expect(try library.status().version == 0)
        // A client that chooses what was not offered.
        let client = try RawClient(world.folder.socket)
        let answer = try client.greet(ClientHello(chosenProtocol: 7, softwareVersion: "raw"))
        let goodbye = try #require(answer).handshake(Goodbye.self)
        #expect(goodbye.reason == .unsupportedProtocol)
    }

    @Test func daemonWithoutACommonFormIsRefused() throws {
        let folder = try SocketFolder()
        let hello = DaemonHello(protocols: 1...1, softwareVersion: "9.9", features: ["packed"])
        let daemon = try ScriptedDaemon(folder.socket, hello: hello) { _, _ in }
        defer { daemon.stop() }
        let failure = #expect(throws: ConnectionFailure.self) {
            try RemoteLibrary(
                RemoteConfiguration(socketPath: folder.socket, softwareVersion: "2.0")
            )
        }
        #expect(failure == .unsupportedProtocol(daemon: "photolibraryd 9.9"))
    }

    @Test(arguments: WireForm.allCases) func errorOfTheLibraryIsReturned(_ form: WireForm) throws {
        let error = LibraryError(.libraryMissing, "There is none.", reason: "r", path: "/p")
        let engine = try FakeEngine(journal: ChangeJournal(path: nil), refusal: error)
        let world = try DaemonWorld(engine: engine)
        let failure = #expect(throws: ConnectionFailure.self) {
            try world.library {
                $0.form = form
                $0.role = .owner
            }
        }
        #expect(failure == .refused(error))
        #expect(failure?.libraryError() == error)
    }

    @Test("A program learns no path that it has not stated")
    func errorForAProgramHasNoPath() throws {
        let path = "/srv/ada/Photos.photolibrary"
        let error = LibraryError(.corrupt, "\(path) is damaged.", path: path)
        let engine = try FakeEngine(journal: ChangeJournal(path: nil), refusal: error)
        let world = try DaemonWorld(engine: engine)
        for stated in [nil, "/srv/ada/other", path] {
            let failure = #expect(throws: ConnectionFailure.self) {
                try world.library {
                    $0.library = stated
                    $0.role = .program
                }
            }
            let concealed = LibraryError(.corrupt, "Photos.photolibrary is damaged.")
            #expect(failure == .refused(stated == path ? error : concealed))
        }
    }

    /// Kernels before 6.5 do not name the process, so it answers a nonce.
    @Test func clientAnswersTheNonce() throws {
        var sources = PeerIdentifier.Sources()
        sources.usesPeerDescriptors = false
        let identifier = PeerIdentifier(sources: sources)
        let world = try DaemonWorld { $0.identifier = identifier }
        let library = try world.library()
        #expect(try library.welcome().peerKind == "host")
        // A wrong answer.
        let client = try RawClient(world.folder.socket)
        _ = try client.receive()
        let hello = ClientHello(chosenProtocol: 1, softwareVersion: "raw", nonce: [1, 2, 3])
        try client.writer.send(.hello(hello))
        #expect(refusal(try client.receive())?.code == .accessDenied)
        #expect(client.waitForEnd())
    }

    @Test func programsAreKeptApart() throws {
        let names = Monitor(["first", "second"])
        var sources = PeerIdentifier.Sources()
        sources.label = { _ in
            names.withLock { $0.isEmpty ? nil : "snap.\($0.removeFirst()).app (enforce)" }
        }
        let identifier = PeerIdentifier(sources: sources)
        let world = try DaemonWorld { $0.identifier = identifier }
        let libraries = try (0..<2).map { _ in try world.library() }
        let programs = Set(try libraries.map { try $0.welcome().program })
        #expect(programs.count == 2)
        #expect(world.waits { $0.clients.count == 2 })
        let clients = try libraries[0].daemonStatus().clients
        #expect(Set(clients.map(\.program)) == programs)
        #expect(
            clients.map(\.class) == ["labeled", "labeled"]
                || clients.map(\.class) == ["sandboxed", "sandboxed"]
        )
    }

    @Test func goodbyeInPlaceOfAHelloIsNoViolation() throws {
        let world = try DaemonWorld()
        let client = try RawClient(world.folder.socket)
        _ = try client.receive()
        try client.writer.send(.goodbye(Goodbye(.unsupportedProtocol, "No.")))
        #expect(client.waitForEnd())
        #expect(world.waits { $0.clients.isEmpty && $0.counters.connections == 1 })
        #expect(world.server.status.counters.violations == 0)
    }
}
