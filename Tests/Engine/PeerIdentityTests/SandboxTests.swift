import Foundation
import Glibc
import ProgramAccess
import TestSupport
import Testing

@testable import PeerIdentity

private let hasBubblewrap =
    (try? ProcessRunner.run("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"]))?.status == 0

/// Programs in sandboxes, made by bubblewrap as Flatpak makes them.
@Suite(.timeLimit(.minutes(2)), .enabled(if: hasBubblewrap, "needs bubblewrap"))
struct SandboxTests {
    let world: PeerWorld

    init() throws { world = try PeerWorld() }

    private static let text = """
        [Application]
        name=org.example.Viewer
        runtime=runtime/org.example.Platform/x86_64/1

        [Context]
        shared=network;
        filesystems=xdg-pictures:ro;~/Photos;!home;
        """

    /// The words that start a program in a root of its own.
    private func sandbox(_ extra: [String]) -> [String] {
        var words = ["bwrap", "--unshare-pid", "--unshare-user", "--die-with-parent"]
        for folder in ["/usr", "/etc"] { words += ["--ro-bind", folder, folder] }
        for link in ["lib", "lib64", "bin"] {
            words += ["--symlink", "usr/\(link)", "/\(link)"]
        }
        words += ["--proc", "/proc", "--dev", "/dev", "--bind", world.folder.path, "/run/peer"]
        return words + extra
    }

    private func identity(_ extra: [String]) throws -> PeerIdentity {
        let peer = try world.connect(through: sandbox(extra), socket: "/run/peer/socket")
        return try #require(PeerIdentifier().identify(peer.socket).identity)
    }

    @Test("A Flatpak is known by its application id, and its folders are read")
    func flatpak() throws {
        let file = try world.folder.write(Data(Self.text.utf8), to: "info")
        let identity = try identity(["--ro-bind", file.path, "/.flatpak-info"])
        #expect(identity.kind == .sandboxed, "\(identity.problem ?? "")")
        #expect(identity.program.identifier == "org.example.Viewer")
        #expect(identity.folders == ["xdg-pictures:ro", "~/Photos"])
    }

    @Test("Another root without an application is unknown")
    func container() throws {
        let identity = try identity([])
        #expect(identity.kind == .unknown && identity.problem?.contains("root folder") == true)
    }

    @Test("A file that is no file of Flatpak makes the program unknown")
    func forged() throws {
        let empty = try world.folder.write(Data(), to: "empty")
        let long = try world.folder.write(
            Data((Self.text + String(repeating: "#", count: 70_000)).utf8),
            to: "long"
        )
        let pipe = world.folder.path + "/pipe"
        mkfifo(pipe, 0o644)
        let forms = [
            ["--ro-bind", empty.path, "/.flatpak-info"],
            ["--ro-bind", long.path, "/.flatpak-info"],
            ["--ro-bind", pipe, "/.flatpak-info"], ["--dir", "/.flatpak-info"],
            // Followed, it would lead out of the sandbox.
            ["--symlink", world.folder.path + "/info", "/.flatpak-info"],
        ]
        try world.folder.write(Data(Self.text.utf8), to: "info")
        for form in forms {
            let identity = try identity(form)
            #expect(identity.kind == .unknown && identity.problem != nil, "\(form)")
        }
    }

    @Test("Keys count in their group only, once, and ids look like ids")
    func keys() {
        func id(_ text: String) -> String? { FlatpakInformation(text)?.application }
        #expect(id("[Application]\nname=a.b\nname=c.d") == "a.b")
        #expect(id("name=a.b\n[Context]\nname=c.d") == nil)
        #expect(id("[Application]\nname=") == nil)
        #expect(id("[Application]\nname=../etc") == nil)
        #expect(id("[Application]\nname=a.b\u{202E}") == nil)
        #expect(id("[Application]\nname=" + String(repeating: "a.", count: 200)) == nil)
        #expect(id("[Runtime]\nname=a.b") == nil)
    }

    @Test("Which sandboxes can see a library")
    func folders() {
        func sees(_ entries: String..., library: String = "/home/ann/Pictures/L.photolibrary")
            -> Bool
        {
            FlatpakInformation.canRead(
                library,
                by: entries,
                home: "/home/ann",
                pictures: "/home/ann/Pictures"
            )
        }
        for entry in [
            "host", "home", "home:ro", "~", "xdg-pictures:ro", "~/Pictures", "/home", "/home/ann/",
            "/", "xdg-pictures/L.photolibrary", "/home/ann/Pictures/L.photolibrary/database:ro",
        ] { #expect(sees(entry), "\(entry)") }
        for entry in [
            "xdg-music", "~/Pictures2", "/home/an", "xdg-run/photolibraryd", "xdg-pictures/Other",
            "/srv",
        ] { #expect(!sees(entry), "\(entry)") }
        #expect(sees("home", "xdg-music") && !sees())
        #expect(!sees("home", library: "/srv/L.photolibrary"))
        #expect(sees("host", library: "/srv/L.photolibrary"))
    }
}
