import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// Changes of a permission around a restart of the daemon, which reach a program that observes.
@Suite(.timeLimit(.minutes(3))) struct PermissionChangeTests {
    private static let program = BuiltProducts.executable("access-client")
        .resolvingSymlinksInPath().path

    private let home: DaemonHome
    /// The identifiers of three photos.
    private let ids: [String]

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
        let source = try home.drawPhotos("a.jpg", "b.jpg", "c.jpg")
        try home.succeed("import", source, daemon: "0")
        let daemon = try home.startDaemon()
        let owner = try home.client()
        let found = try owner.fetch(AssetFetchRequest()).ids
        let assets = try owner.loadAssets(AssetLoadRequest(ids: found)).assets
        ids = assets.map(\.localIdentifier)
        try #require(ids.count == 3)
        owner.close()
        daemon.kill()
        daemon.wait()
    }

    /// Limits the program to the first photos.
    private func limit(to count: Int) throws {
        let selected = Array(ids.prefix(count))
        let output = try home.run(
            BuiltProducts.photos.path,
            ["access", "limit", Self.program] + selected,
            daemon: "0"
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// The numbers of photos that the observing program reported.
    private var reported: [String] {
        let text = try? String(contentsOf: home.folder.file("output"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }

    /// Starts the observing program and waits until it observes.
    private func watch() throws -> ChildProcess {
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" watch > \"$1\"", Self.program, home.folder.file("output").path],
            environment: home.environment.merging(["PHOTOS_DAEMON": "1"]) { $1 }
        )
        #expect(home.waits { reported == ["sees 3"] })
        return child
    }

    /// Waits until the observing program is connected to the daemon.
    private func isConnected() throws -> Bool {
        let observer = try home.client(role: .observer)
        defer { observer.close() }
        return try home.waits {
            try observer.daemonStatus().clients.contains { $0.program == Self.program }
        }
    }

    @Test("A selection that was changed while no daemon ran is told")
    func changedMeanwhile() throws {
        try limit(to: 3)
        let daemon = try home.startDaemon()
        let child = try watch()
        defer { child.kill() }
        daemon.kill()
        daemon.wait()
        try limit(to: 1)
        try home.startDaemon()
        #expect(home.waits { reported == ["sees 3", "told 1"] })
    }

    @Test("A selection that is changed after a restart of the daemon is told")
    func changedAfterward() throws {
        try limit(to: 3)
        let daemon = try home.startDaemon()
        let child = try watch()
        defer { child.kill() }
        try limit(to: 2)
        #expect(home.waits { reported == ["sees 3", "told 2"] })
        try limit(to: 1)
        #expect(home.waits { reported == ["sees 3", "told 2", "told 1"] })
        daemon.kill()
        daemon.wait()
        try home.startDaemon()
        #expect(try isConnected())
        try limit(to: 3)
        #expect(home.waits { reported == ["sees 3", "told 2", "told 1", "told 3"] })
    }
}
