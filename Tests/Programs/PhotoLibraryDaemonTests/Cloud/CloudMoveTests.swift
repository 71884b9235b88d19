import Foundation
import TestSupport
import Testing

/// Stores whose address changes, as people change it.
@Suite(.timeLimit(.minutes(10))) struct CloudMoveTests {
    private let cloud: CloudHomes

    init() throws {
        cloud = try CloudHomes(2)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "0")
        try cloud.join(with: cloud.create())
        try cloud.sync()
    }

    private func failure(_ index: Int, _ arguments: String...) throws -> ProcessRunner.Output {
        let output = try cloud[index]
            .run(BuiltProducts.photos.path, ["cloud"] + arguments, daemon: nil)
        #expect(output.status != 0, "\(arguments) succeeded: \(output.text)")
        return output
    }

    /// A running daemon goes on at the new place, as a command without one does.
    @Test func aFolderThatMovedIsUsedAgain() throws {
        let older = cloud.folder.path + "/older"
        try FileManager.default.copyItem(atPath: cloud.store, toPath: older)
        let id = try #require(
            try CloudHomes.object(cloud[0].succeed("list", "--json", daemon: "0"))[
                "localIdentifier"
            ] as? String
        )
        try cloud[0].succeed("set", id, "--title", "Later", daemon: "0")
        try cloud.sync()
        let place = cloud.folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: cloud.store, toPath: place)
        #expect(try failure(0, "sync", "--once").errorText.contains("cloud"))
        #expect(try failure(0, "move", "file://" + older).errorText.contains("older"))
        #expect(
            try failure(0, "move", "file://" + cloud.folder.path).errorText.contains("is not at")
        )
        let status = try CloudHomes.object(
            cloud[0].succeed("cloud", "status", "--json", daemon: nil)
        )
        #expect(status["address"] as? String == cloud.address)

        try cloud[0].startDaemon("--cloud-scale", "0.01")
        let moved = try CloudHomes.object(
            cloud[0].succeed("cloud", "move", "file://" + place, "--json", daemon: nil)
        )
        #expect(moved["address"] as? String == "file://" + place)
        #expect((moved["probe"] as? String)?.isEmpty == false)
        let text = try cloud[1].succeed("cloud", "move", "file://" + place, daemon: nil)
        #expect(text.contains("from now on"))
        try cloud[1].succeed("set", id, "--title", "Moved", daemon: "0")
        try cloud[1].succeed("cloud", "sync", "--once", daemon: nil)
        let hasArrived = try cloud[0].waits(seconds: 120, pause: 100) {
            try cloud[0].succeed("show", id, "--json", daemon: "1").contains("Moved")
        }
        #expect(hasArrived)
    }

    @Test func aFolderHasNoCredentials() throws {
        let output = try failure(0, "credentials")
        #expect(output.errorText.contains("folder") && output.errorText.contains("cloud move"))
        try cloud[0].succeed("cloud", "leave", daemon: nil)
        #expect(try failure(0, "credentials").errorText.contains("not part of"))
        #expect(try failure(0, "move", cloud.address).errorText.contains("not part of"))
    }
}
