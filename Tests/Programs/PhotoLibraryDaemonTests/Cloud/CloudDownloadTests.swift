import Foundation
import TestSupport
import Testing

/// Downloads on demand as people use them.
@Suite(.timeLimit(.minutes(5))) struct CloudDownloadTests {
    /// Two computers, the second of which has photos without files.
    private struct Pair {
        let cloud: CloudHomes
        let identifiers: [String]
        private var blobs: (here: String, aside: String) {
            (cloud.store + "/blob", cloud.folder.path + "/blob")
        }

        init() throws {
            cloud = try CloudHomes(2)
            let source = try cloud[0].drawPhotos("a.jpg", "b.jpg", "c.jpg", side: 600)
            try cloud[0].succeed("import", source, daemon: "0")
            identifiers = try cloud[0].succeed("list", "--json", daemon: "0")
                .split(separator: "\n").map {
                    try #require(try CloudHomes.object(String($0))["localIdentifier"] as? String)
                }
            try cloud.join(with: cloud.create())
            try cloud[0].succeed("cloud", "sync", "--once", daemon: nil)
            try hideFiles()
            try cloud[1].succeed("cloud", "sync", "--once", daemon: nil)
        }

        /// Takes the files away from the store.
        func hideFiles() throws {
            try FileManager.default.moveItem(atPath: blobs.here, toPath: blobs.aside)
        }

        func showFiles() throws {
            try? FileManager.default.removeItem(atPath: blobs.here)
            try FileManager.default.moveItem(atPath: blobs.aside, toPath: blobs.here)
        }

        /// Downloads photos on the second computer, and returns the outcomes.
        func download(_ names: String..., failing: Bool = false) throws -> [String] {
            let output = try cloud[1].run(
                BuiltProducts.photos.path,
                ["cloud", "download", "--json"] + names,
                daemon: nil
            )
            #expect((output.status == 1) == failing, "\(output.errorText)")
            return try output.text.split(separator: "\n").map { line in
                let object = try CloudHomes.object(String(line))
                #expect(names.contains(try #require(object["localIdentifier"] as? String)))
                let outcome = try #require(object["outcome"] as? String)
                #expect((outcome == "failed") == (object["reason"] is String))
                return outcome
            }
        }

        /// The number of files that the second computer lacks.
        func missing() throws -> Int {
            let status = try CloudHomes.object(
                cloud[1].succeed("cloud", "status", "--json", daemon: nil)
            )
            let pending = try #require(status["pending"] as? [String: Any])
            return try #require(pending["downloads"] as? Int)
        }

        /// The bytes of a photo on a computer; nil if its file is not there.
        func bytes(_ identifier: String, _ computer: Int) throws -> Data? {
            let target = cloud[computer].folder.file("out-\(UUID().uuidString)")
            let output = try cloud[computer].photos(
                "export",
                identifier,
                "-o",
                target.path,
                daemon: nil
            )
            guard output.status == 0 else { return nil }
            let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
            return try Data(contentsOf: target.appending(path: try #require(names.first)))
        }
    }

    @Test func aPhotoIsDownloadedWithoutADaemon() throws {
        let pair = try Pair()
        let ids = pair.identifiers
        #expect(try pair.missing() == 3)
        #expect(try pair.bytes(ids[0], 1) == nil)
        #expect(try pair.download(ids[0], failing: true) == ["failed"])
        try pair.showFiles()
        #expect(try pair.download(ids[0]) == ["downloaded"])
        #expect(try pair.missing() == 2)
        let bytes = try #require(try pair.bytes(ids[0], 1))
        #expect(try bytes == pair.bytes(ids[0], 0))
        #expect(try pair.bytes(ids[1], 1) == nil)
        #expect(try pair.download(ids[0], ids[1]) == ["here", "downloaded"])
        try pair.cloud.sync()
        #expect(try pair.missing() == 0)
        try pair.cloud.expectEqual()
        for index in 0..<2 { try pair.cloud.verify(index) }
    }

    /// A running daemon downloads at once, between its sessions.
    @Test func aPhotoIsDownloadedByTheDaemon() throws {
        let pair = try Pair()
        let home = pair.cloud[1]
        try home.startDaemon()
        // The first session, which finds no file; the next one is minutes away.
        try home.succeed("cloud", "sync", "--once", daemon: nil)
        #expect(try pair.missing() == 3)
        try pair.showFiles()
        let id = pair.identifiers[2]
        #expect(try pair.download(id) == ["downloaded"])
        #expect(try pair.missing() == 2)
        #expect(try pair.bytes(id, 1) == pair.bytes(id, 0))
    }

    /// A program with PhotoKit, which does not own the library.
    @Test func aPhotoIsDownloadedForAProgram() throws {
        let pair = try Pair()
        let (home, id) = (pair.cloud[1], pair.identifiers[1])
        try home.startDaemon()
        try home.succeed("cloud", "sync", "--once", daemon: nil)
        #expect(try pair.missing() == 3)
        try FileProgram.permit(in: home)
        try pair.showFiles()
        let forbidden = try FileProgram(home, id)
        #expect(forbidden.files.isEmpty)
        for (name, outcome) in forbidden.outcomes {
            #expect(outcome.code == 3_164, "\(name): \(forbidden.text)")
        }
        #expect(try pair.missing() == 3)
        let allowed = try FileProgram(home, id, network: "allowed")
        #expect(Set(allowed.outcomes.keys) == ["resources", "data", "input"])
        #expect(allowed.outcomes.values.allSatisfy { $0.code == nil }, "\(allowed.text)")
        // The first request downloads, and reports it.
        #expect(allowed.outcomes["resources"]?.hasProgress == true, "\(allowed.text)")
        let bytes = try #require(try pair.bytes(id, 0))
        for name in ["resource-1", "url-resource-1", "data", "input"] {
            #expect(allowed.files[name] == bytes, "\(name)")
        }
        for program in [forbidden, allowed] { #expect(!program.text.contains(home.library)) }
        // It stays, for those who may not use the network.
        let later = try FileProgram(home, id)
        #expect(later.files == allowed.files)
    }

    @Test func mistakesHaveClearErrors() throws {
        let home = try DaemonHome()
        try home.succeed("create", daemon: "0")
        try home.succeed("import", home.drawPhotos("a.jpg"), daemon: "0")
        let unknown = try home.photos("cloud", "download", "FFFFFFFF", daemon: nil)
        #expect(unknown.status != 0 && unknown.errorText.contains("FFFFFFFF"))
        let id = try #require(
            try CloudHomes.object(home.succeed("list", "--json", daemon: "0"))["localIdentifier"]
                as? String
        )
        let ordinary = try home.photos("cloud", "download", id, daemon: nil)
        #expect(ordinary.status != 0)
        #expect(ordinary.errorText.contains("not part of a cloud library"))
    }
}
