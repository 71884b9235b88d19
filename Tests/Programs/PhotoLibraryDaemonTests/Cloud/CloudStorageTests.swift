import Foundation
import TestSupport
import Testing

/// Optimized storage as people use it: by the command, with a real store and a real daemon.
@Suite(.timeLimit(.minutes(180))) struct CloudStorageTests {
    /// The number of times that originals are removed or downloaded under kills.
    private static let cycles =
        ProcessInfo.processInfo.environment["PHOTOS_REMOVAL_KILLS"].flatMap { Int($0) } ?? 6

    private let seed = TestSeed()
    private let cloud: CloudHomes
    private let identifiers: [String]

    init() throws {
        cloud = try CloudHomes(2)
        let source = try cloud[0].drawPhotos("a.jpg", "b.jpg", "c.jpg", "d.jpg", side: 600)
        try cloud[0].succeed("import", source, daemon: "0")
        identifiers = try cloud[0].succeed("list", "--json", daemon: "0")
            .split(separator: "\n").map {
                try #require(try CloudHomes.object(String($0))["localIdentifier"] as? String)
            }
        try cloud.join(with: cloud.create())
        try cloud.sync(rounds: 3)
    }

    @discardableResult
    private func optimize(_ arguments: String..., daemon: String? = nil) throws -> [String: Any] {
        let home = cloud[1]
        let output = try home.run(
            BuiltProducts.photos.path,
            ["cloud", "optimize", "--json"] + arguments,
            daemon: daemon
        )
        #expect(output.status == 0, "\(output.errorText)")
        return try CloudHomes.object(output.text)
    }

    private func session() throws -> [String: Any] {
        try CloudHomes.object(
            cloud[1].succeed("cloud", "sync", "--once", "--json", daemon: nil)
        )
    }

    /// Originals on the second computer.
    private func originals() throws -> Int {
        let folder = cloud[1].library + "/originals"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .count { $0.hasSuffix(".jpg") }
    }

    private func states() throws -> [String?] {
        try cloud[1].succeed("list", "--json", daemon: "0").split(separator: "\n").map {
            try CloudHomes.object(String($0))["cloud"] as? String
        }
    }

    @Test func originalsAreRemovedAndReturn() throws {
        let unset = try optimize()
        #expect(unset["optimized"] as? Bool == false)
        #expect(unset["removedFiles"] as? Int == 0)
        let set = try optimize("on", "--keep-free", "900TB")
        #expect(set["optimized"] as? Bool == true)
        #expect(set["keepFree"] as? Int == 900_000_000_000_000)
        let report = try session()
        #expect(report["removed"] as? Int == 4, "\(report)")
        #expect(try originals() == 0)
        #expect(try states() == Array(repeating: "away", count: 4))
        #expect(try optimize()["removedFiles"] as? Int == 4)
        try cloud.verify(1)
        // A picture is made from what stayed, the original is not exported.
        let target = cloud[1].folder.file("picture.jpg").path
        try cloud[1].succeed(
            "image",
            identifiers[0],
            "--size",
            "500x500",
            "-o",
            target,
            daemon: "0"
        )
        #expect(FileManager.default.fileExists(atPath: target))
        let out = cloud[1].folder.file("out").path
        let export = try cloud[1].photos("export", identifiers[0], "-o", out, daemon: "0")
        #expect(export.status != 0)
        #expect(export.errorText.contains("photos cloud download"), "\(export.errorText)")
        try cloud.expectEqual()
        // One returns on demand, all by switching it off.
        try cloud[1].succeed("cloud", "download", identifiers[1], daemon: nil)
        #expect(try originals() == 1)
        #expect(try optimize("off")["optimized"] as? Bool == false)
        let back = try session()
        #expect(back["downloaded"] as? Int == 3, "\(back)")
        for index in 0..<2 { try cloud.verify(index) }
        #expect(try states() == Array(repeating: "here", count: 4))
    }

    @Test func aKeptAlbumAndEditsStay() throws {
        try cloud[1].succeed("album", "create", "Kept", daemon: "0")
        try cloud[1].succeed("album", "add", "Kept", identifiers[0], daemon: "0")
        try cloud[1].succeed("edit", identifiers[1], "--exposure", "1", daemon: "0")
        let kept = try CloudHomes.object(
            cloud[1].succeed("cloud", "keep", "Kept", "--json", daemon: nil)
        )
        #expect((kept["keptAlbums"] as? [String])?.count == 1)
        try optimize("on", "--keep-free", "900TB")
        let report = try session()
        #expect(report["removed"] as? Int == 3, "\(report)")
        #expect(try originals() == 1)
        let edited = try CloudHomes.object(
            cloud[1].succeed("show", identifiers[1], "--json", daemon: "0")
        )
        #expect(edited["cloud"] as? String == "away")
        // The edit is exported as it is; reverting it asks for the original.
        let out = cloud[1].folder.file("edited").path
        try cloud[1].succeed(
            "export",
            identifiers[1],
            "--current",
            "-o",
            out,
            daemon: "0"
        )
        try cloud[1].succeed("cloud", "keep", "Kept", "--stop", daemon: nil)
        #expect(try session()["removed"] as? Int == 1)
        #expect(try originals() == 0)
        try cloud[1].succeed("cloud", "keep", "Kept", daemon: nil)
        #expect(try session()["downloaded"] as? Int == 1)
        #expect(try originals() == 1)
        try cloud.sync()
        try cloud.expectEqual()
    }

    @Test func mistakesHaveClearErrors() throws {
        let size = try cloud[1].photos(
            "cloud",
            "optimize",
            "on",
            "--keep-free",
            "much",
            daemon: nil
        )
        #expect(size.status == 2 && size.errorText.contains("much"))
        let alone = try cloud[1].photos("cloud", "optimize", "--keep-free", "1GB", daemon: nil)
        #expect(alone.status == 2)
        let album = try cloud[1].photos("cloud", "keep", "Nowhere", daemon: nil)
        #expect(album.status != 0 && album.errorText.contains("Nowhere"))
        let home = try DaemonHome()
        try home.succeed("create", daemon: "0")
        for arguments in [["optimize"], ["optimize", "on"], ["optimize", "off"]] {
            let output = try home.run(
                BuiltProducts.photos.path,
                ["cloud"] + arguments,
                daemon: nil
            )
            #expect(output.status != 0)
            #expect(output.errorText.contains("not part of a cloud library"))
        }
        // Leaving would lose what was removed.
        try optimize("on", "--keep-free", "900TB")
        _ = try session()
        let leave = try cloud[1].photos("cloud", "leave", daemon: nil)
        #expect(leave.status != 0 && leave.errorText.contains("photos cloud optimize off"))
    }

    /// A daemon that dies while it removes and downloads originals loses nothing: each photo has
    /// its bytes here or in the store, and the library says where.
    ///
    /// `PHOTOS_REMOVAL_KILLS` sets the number of cycles; 1,000 is the full length.
    @Test func nothingIsLostUnderKills() throws {
        var generator = seed.generator
        let facts = try cloud.facts(0)
        for cycle in 0..<Self.cycles {
            if cycle.isMultiple(of: 2) {
                try optimize("on", "--keep-free", "900TB")
            } else {
                try optimize("off")
            }
            let daemon = try cloud[1].startDaemon("--cloud-scale", "0.0005")
            // Time is the subject: a session takes some hundred milliseconds here.
            usleep(UInt32.random(in: 0..<700_000, using: &generator))
            daemon.kill()
            daemon.wait()
            try cloud.verify(1)
        }
        try optimize("off")
        try cloud.sync(rounds: 2)
        #expect(try originals() == 4, "\(seed)")
        #expect(try cloud.facts(1) == facts, "\(seed)")
        try cloud.expectEqual()
        for index in 0..<2 { try cloud.verify(index) }
        let findings = try cloud[0].photos("cloud", "verify", "--sample", "100", daemon: nil)
        #expect(findings.status == 0, "\(seed): \(findings.text)\(findings.errorText)")
    }
}
