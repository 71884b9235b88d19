import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Programs whose permission is a boundary: what they get, and what they cannot do with it.
@Suite(.timeLimit(.minutes(5))) struct BoundaryTests {
    private static let accessClient = BuiltProducts.executable("access-client")
        .resolvingSymlinksInPath().path
    private static let permissionClient = BuiltProducts.executable("permission-client")
        .resolvingSymlinksInPath().path

    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    /// Makes the programs of a kind; nil if this machine has none.
    private func boundary(_ kind: Boundary.Kind) throws -> Boundary? {
        switch kind {
        case .sandboxed: try hasBubblewrap ? Boundary(kind, of: home) : nil
        case .otherUser: try otherUser == nil ? nil : Boundary(kind, of: home)
        }
    }

    /// Imports files, which are one photo or movie, and returns its identifier.
    private func add(_ files: [String: Data]) throws -> String {
        for (name, data) in files { try home.folder.write(data, to: "source/" + name) }
        try home.succeed("import", home.folder.file("source").path, daemon: "0")
        let line = try home.succeed("list", "--json", daemon: "0")
        return try #require(try CloudHomes.object(line)["localIdentifier"] as? String)
    }

    private func grant(_ boundary: Boundary, _ options: String...) throws {
        _ = try home.run(
            BuiltProducts.photos.path,
            ["access", "grant", boundary.program] + options,
            daemon: "0"
        )
    }

    // MARK: - What they get

    @Test(arguments: Boundary.Kind.allCases)
    func aProgramGetsWhatItWasGranted(_ kind: Boundary.Kind) throws {
        guard let boundary = try boundary(kind) else { return }
        let bytes = try DaemonHome.photo(1)
        let identifier = try add(["a.jpg": bytes])
        try boundary.startDaemon()
        let folder = try boundary.folder("received")
        let words = ["files", identifier, "forbidden", folder.path]
        // Nobody is there to be asked.
        let before = try boundary.run(Self.accessClient, words)
        #expect(before.status != 0 || !before.text.contains("ok"), "\(before.text)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.isEmpty)
        try grant(boundary)
        let output = try boundary.run(Self.accessClient, words)
        #expect(output.status == 0, "\(output.errorText)")
        for name in ["resource-1", "url-resource-1", "data", "input"] {
            #expect(try Data(contentsOf: folder.appending(path: name)) == bytes, "\(name)")
        }
        #expect(!(output.text + output.errorText).contains(home.library))
    }

    @Test(arguments: Boundary.Kind.allCases)
    func aProgramCanAddWhereItMay(_ kind: Boundary.Kind) throws {
        guard let boundary = try boundary(kind) else { return }
        try boundary.startDaemon()
        try grant(boundary, "--add-only")
        let bytes = try DaemonHome.photo(7)
        let photo = try boundary.write(bytes, to: "new.jpg")
        let output = try boundary.run(Self.accessClient, ["create", photo.path])
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        let listed = try home.succeed("list", "--json", daemon: "0")
        #expect(listed.split(separator: "\n").count == 1, "\(output.text) \(output.errorText)")
        let found = try boundary.run(Self.accessClient, ["find", "mediaType == 1"])
        #expect(found.text.contains("found 0"), "\(found.text)")
        try home.succeed("verify", "--full", daemon: "0")
    }

    @Test(arguments: Boundary.Kind.allCases)
    func aProgramIsNeverTheOwner(_ kind: Boundary.Kind) throws {
        guard let boundary = try boundary(kind) else { return }
        _ = try add(["a.jpg": DaemonHome.photo(1)])
        try boundary.startDaemon()
        try grant(boundary, "--hidden")
        for words in [["list"], ["export", "--all", "-o", boundary.shared.path + "/out"]] {
            let output = try boundary.run(BuiltProducts.photos.path, words)
            #expect(output.status != 0, "\(output.text)")
            #expect(output.errorText.contains("as its owner"), "\(output.errorText)")
            #expect(!output.errorText.contains(home.library))
        }
        // It learns nothing of other clients.
        let status = try boundary.run(BuiltProducts.photos.path, ["daemon", "status", "--json"])
        #expect(!status.text.contains("clients"), "\(status.text)")
        #expect(status.errorText.contains("owner"), "\(status.errorText)")
    }

    @Test(.enabled(if: hasBubblewrap, "needs bubblewrap"))
    func aSandboxedProgramCannotChooseTheLibrary() throws {
        let boundary = try Boundary(.sandboxed, of: home)
        _ = try add(["a.jpg": DaemonHome.photo(1)])
        // A library of the program, which it wants the daemon to open.
        let other = boundary.shared.path + "/Own.photolibrary"
        try home.succeed("create", "--library", other, daemon: "0")
        try boundary.startDaemon()
        try grant(boundary)
        let output = try boundary.run(
            "/usr/bin/env",
            ["PHOTOS_LIBRARY=\(other)", Self.accessClient, "find", "mediaType == 1"]
        )
        #expect(output.text.contains("found 1"), "\(output.text)\(output.errorText)")
    }

    @Test(arguments: Boundary.Kind.allCases)
    func theListSaysWhatIsEnforced(_ kind: Boundary.Kind) throws {
        guard let boundary = try boundary(kind) else { return }
        _ = try add(["a.jpg": DaemonHome.photo(1)])
        try boundary.startDaemon()
        try grant(boundary)
        func enforcement() throws -> String? {
            let lines = try home.succeed("access", "list", "--json", daemon: "0")
            return try lines.split(separator: "\n").map { try CloudHomes.object(String($0)) }
                .first { $0["program"] as? String == boundary.program }?["enforcement"] as? String
        }
        #expect(try enforcement() == "convention")
        _ = try boundary.run(Self.accessClient, ["find", "mediaType == 1"])
        #expect(try enforcement() == "boundary")
        let text = try home.run(BuiltProducts.photos.path, ["access", "list"], daemon: "0")
        #expect(text.text.contains("enforced"))
        guard kind == .sandboxed else { return }
        // A sandbox that lets the program read the library's folder.
        boundary.permissions = "filesystems=\(home.folder.path):ro;"
        _ = try boundary.run(Self.accessClient, ["find", "mediaType == 1"])
        #expect(try enforcement() == "convention")
    }

    // MARK: - What they cannot do

    @Test(arguments: Boundary.Kind.allCases)
    func nothingCanBeChangedThroughAFile(_ kind: Boundary.Kind) throws {
        guard let boundary = try boundary(kind) else { return }
        let still = try DaemonHome.photo(3)
        let identifier = try add(["a.jpg": still])
        try home.succeed("edit", identifier, "--filter", "noir", daemon: "0")
        let uuid = String(identifier.prefix { $0 != "/" })
        try boundary.startDaemon()
        try grant(boundary)
        let output = try boundary.run(
            Self.permissionClient,
            ["attack", boundary.socket, home.library, uuid]
        )
        #expect(output.status == 0, "\(output.errorText)")
        let lines = output.text.split(separator: "\n").map(String.init)
        // The original, the edit, and what PhotoKit's image data opens.
        #expect(lines.count { $0.hasPrefix("file ") } >= 3, "\(lines)")
        #expect(lines.contains("end"))
        for line in lines where line.hasPrefix("succeeded ") { Issue.record("\(line)") }
        // The attacks were made.
        #expect(lines.count { $0.hasPrefix("failed ") } >= 30, "\(lines)")
        try home.succeed("verify", "--full", daemon: "0")
    }

    @Test(.enabled(if: otherUser != nil, "needs root, and programs that others can run"))
    func theSocketOfAUserRefusesOthers() throws {
        let boundary = try Boundary(.otherUser, of: home)
        let identifier = try add(["a.jpg": DaemonHome.photo(1)])
        try grant(boundary)
        try home.startDaemon()
        func attack() throws -> String {
            let words = ["attack", home.socket, home.library, String(identifier.prefix(36))]
            let output = try boundary.run(Self.permissionClient, words)
            #expect(output.status != 0)
            #expect(!output.text.contains("file "), "\(output.text)")
            return output.errorText
        }
        // The kernel refuses them, and where the modes let them pass, the daemon does.
        let unreachable = try attack()
        #expect(unreachable.contains("unreachable"), "\(unreachable)")
        chmod(home.runtimePath, 0o755)
        chmod(home.runtimePath + "/photolibraryd", 0o755)
        chmod(home.socket, 0o666)
        let refused = try attack()
        #expect(refused.contains("another user"), "\(refused)")
    }

    @Test func theModeOfTheSocketIsChecked() throws {
        for (words, text) in [
            (["--socket-mode", "0660"], "requires --listen"),
            (["--listen", "/tmp/none/socket", "--socket-mode", "0999"], "octal mode"),
            (["--listen", "/tmp/none/socket", "--socket-mode", "0060"], "octal mode"),
        ] {
            let output = try home.run(
                BuiltProducts.executable("photolibraryd").path,
                words,
                daemon: nil
            )
            #expect(output.status == 64, "\(words)")
            #expect(output.errorText.contains(text), "\(output.errorText)")
        }
    }
}
