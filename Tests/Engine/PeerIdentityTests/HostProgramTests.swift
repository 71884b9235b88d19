import Foundation
import Glibc
import ProgramAccess
import TestSupport
import Testing

@testable import PeerIdentity

/// Programs of the same user, outside of sandboxes.
@Suite(.timeLimit(.minutes(30))) struct HostProgramTests {
    let world: PeerWorld
    let identifier = PeerIdentifier()

    init() throws { world = try PeerWorld() }

    private func identity(of peer: PeerWorld.Peer) throws -> PeerIdentity {
        try #require(identifier.identify(peer.socket).identity)
    }

    @Test("A program is known by the path of its executable")
    func path() throws {
        let peer = try world.connect()
        let identity = try identity(of: peer)
        #expect(identity.kind == .host && identity.problem == nil)
        #expect(identity.program.identifier == PeerWorld.python)
        #expect(identity.processID == peer.process.identifier)
        #expect(identity.userID == geteuid())
    }

    @Test("A program with an Info.plist is known by its bundle identifier")
    func information() throws {
        let program = try world.program("viewer", in: "App")
        let list = ["CFBundleIdentifier": "org.example.Viewer", "CFBundleName": "Viewer"]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: world.folder.file("App/Info.plist"))
        let identity = try identity(of: try world.connect(python: program))
        #expect(identity.program.identifier == "org.example.Viewer")
        #expect(identity.program.name == "Viewer")
    }

    @Test("A program whose executable was replaced while it runs stays the same program")
    func replaced() throws {
        let program = try world.program("viewer", in: "App")
        let peer = try world.connect(python: program)
        unlink(program)
        #expect(try identity(of: peer).program.identifier == program)
        try Data("another".utf8).write(to: URL(fileURLWithPath: program))
        #expect(try identity(of: peer).program.identifier == program)
    }

    @Test(
        "A program that other users can replace is unknown",
        arguments: [("file", 0o777), ("folder", 0o777), ("above", 0o777), ("sticky", 0o1777)]
    )
    func replaceable(_ place: String, _ mode: Int) throws {
        let program = try world.program("viewer", in: "Above/App")
        let path =
            switch place {
            case "file": program
            case "above": world.folder.file("Above").path
            default: world.folder.file("Above/App").path
            }
        chmod(path, mode_t(mode))
        let identity = try identity(of: try world.connect(python: program))
        // In a sticky folder, others cannot rename what is not theirs.
        #expect(identity.kind == (place == "sticky" ? .host : .unknown))
        if place != "sticky" { #expect(identity.problem?.contains(path) == true) }
    }

    @Test("A process that has ended is unknown, also when a child holds its socket")
    func ended() throws {
        let child = try world.connect(
            """
            if os.fork() == 0:
                alone()
                s.recv(1)
            os._exit(0)
            """
        )
        _ = child.process.wait()
        let identity = try identity(of: child)
        #expect(identity.kind == .unknown && identity.problem?.contains("ended") == true)
    }

    @Test("A process that executes another program is that program")
    func executes() throws {
        let program = try world.program("other", in: "Other")
        let peer = try world.connect(
            """
            os.set_inheritable(s.fileno(), True)
            os.execv("\(program)", ["other", "-I", "-S", "-c", "import time; time.sleep(60)"])
            """
        )
        // The connection is made before the other program starts.
        let limit = ContinuousClock.now + .seconds(20)
        var last = try identity(of: peer)
        while last.program.identifier != program, ContinuousClock.now < limit {
            last = try identity(of: peer)
        }
        #expect(last.program.identifier == program)
    }

    @Test("Connectors that end at once are never taken for another program, and leak nothing")
    func manyShortLives() throws {
        let count = ProcessInfo.processInfo.environment["PHOTOS_PEERS"].flatMap(Int.init) ?? 40
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<count {
            let peer = try world.connect("os._exit(0)")
            let identity = try identity(of: peer)
            switch identity.kind {
            case .host: #expect(identity.program.identifier == PeerWorld.python)
            case .unknown: #expect(identity.problem != nil)
            default: Issue.record("\(identity)")
            }
            _ = peer.process.wait()
            #expect(try self.identity(of: peer).kind == .unknown)
        }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(after <= before + 4)
    }
}
