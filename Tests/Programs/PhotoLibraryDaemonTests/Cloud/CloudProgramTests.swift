import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Cloud libraries as people use them: the command, the daemon that it starts, and a folder.
@Suite(.timeLimit(.minutes(10))) struct CloudProgramTests {
    private static func identifiers(_ home: DaemonHome) throws -> [String] {
        try home.succeed("list", "--json", "--sort", "creationDate:asc", daemon: "0")
            .split(separator: "\n").map {
                try #require(try CloudHomes.object(String($0))["localIdentifier"] as? String)
            }
    }

    @Test func twoComputersHaveTheSamePhotos() throws {
        let cloud = try CloudHomes(2)
        let source = try cloud[0].drawPhotos("a.jpg", "b.jpg", "c.jpg")
        try cloud[0].succeed("import", source, daemon: "0")
        let ids = try Self.identifiers(cloud[0])
        try cloud[0].succeed("album", "create", "Summer", daemon: "0")
        try cloud[0].succeed("album", "add", "Summer", ids[2], ids[0], daemon: "0")
        let code = try cloud.create()
        let first = try CloudHomes.object(
            cloud[0].succeed("cloud", "sync", "--once", "--json", daemon: nil)
        )
        #expect(first["uploaded"] as? Int == 3)
        #expect((first["alarms"] as? [Any])?.isEmpty == true)
        try cloud.join(with: code)
        let second = try CloudHomes.object(
            cloud[1].succeed("cloud", "sync", "--once", "--json", daemon: nil)
        )
        #expect(second["downloaded"] as? Int == 3)
        try cloud.expectEqual()
        #expect(try cloud.facts(0).count >= 4)
        try cloud.verify(1)

        // Changes travel in both directions, also those that were made at the same time.
        try cloud[0].succeed("set", ids[0], "--favorite", "true", daemon: "0")
        try cloud[1].succeed("set", ids[0], "--title", "From elsewhere", daemon: "0")
        try cloud[1].succeed("delete", ids[2], "--yes", daemon: "0")
        try cloud[1].succeed("album", "create", "Winter", daemon: "0")
        try cloud.sync()
        let facts = try cloud.facts(0)
        try cloud.expectEqual()
        let changed = try #require(facts.first { $0.contains(ids[0]) })
        #expect(changed.contains("From elsewhere") && changed.contains("\"isFavorite\":true"))
        #expect(facts.contains { $0.contains("Winter") })
        #expect(try Self.identifiers(cloud[0]).count == 2)
    }

    /// The file of an edit that loses against a later one leaves the library before its upload.
    @Test func anEditThatLostDoesNotStopLaterChanges() throws {
        let cloud = try CloudHomes(2)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg", "b.jpg"), daemon: "0")
        let ids = try Self.identifiers(cloud[0])
        try cloud.join(with: cloud.create())
        try cloud.sync()
        try cloud[0].succeed("edit", "--exposure", "0.5", ids[0], daemon: "0")
        try cloud[0].succeed("delete", "--yes", ids[1], daemon: "0")
        try cloud[1].succeed("edit", "--filter", "Noir", ids[0], daemon: "0")
        try cloud[1].succeed("cloud", "sync", "--once", daemon: nil)
        try cloud.sync()
        for index in 0..<2 {
            #expect(try Self.identifiers(cloud[index]) == [ids[0]])
            try cloud.verify(index)
        }
        try cloud.expectEqual()
    }

    /// A file that is lost before its upload stops nothing, and is uploaded when it is back.
    @Test func aLostFileIsUploadedWhenItIsBack() throws {
        let cloud = try CloudHomes(2)
        try cloud.join(with: cloud.create())
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg", "b.jpg"), daemon: "0")
        let originals = cloud[0].library + "/originals"
        let names = try FileManager.default.subpathsOfDirectory(atPath: originals)
        let name = try #require(names.filter { $0.hasSuffix(".jpg") }.min())
        let away = cloud[0].folder.file("away.jpg").path
        try FileManager.default.moveItem(atPath: originals + "/" + name, toPath: away)
        try cloud.sync()
        #expect(try Self.identifiers(cloud[1]).count == 2)
        #expect(try cloud.objects().filter { $0.hasPrefix("blob/") }.count == 1)
        try FileManager.default.moveItem(atPath: away, toPath: originals + "/" + name)
        try cloud.sync()
        #expect(try cloud.objects().filter { $0.hasPrefix("blob/") }.count == 2)
        for index in 0..<2 { try cloud.verify(index) }
        try cloud.expectEqual()
    }

    /// Two libraries with photos of their own, one of them the same, become one.
    @Test func librariesWithPhotosAreJoined() throws {
        let cloud = try CloudHomes(2)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg", "b.jpg"), daemon: "0")
        // The first of these has the bytes of the other computer's first one.
        try cloud[1].succeed("import", cloud[1].drawPhotos("x.jpg"), daemon: "0")
        try cloud[1].folder.write(try DaemonHome.photo(99), to: "more/y.jpg")
        try cloud[1].succeed("import", cloud[1].folder.file("more").path, daemon: "0")
        try cloud.join(with: cloud.create())
        try cloud.sync(rounds: 3)
        #expect(try Self.identifiers(cloud[0]).count == 3)
        try cloud.expectEqual()
        for index in 0..<2 { try cloud.verify(index) }
    }

    /// Nothing that a person wrote, and no hash of a photo, is readable in the store.
    @Test func theStoreSeesNothing() throws {
        let cloud = try CloudHomes(1)
        let bytes = try DaemonHome.photo(1, side: 400)
        try cloud[0].folder.write(bytes, to: "source/Secretname.jpg")
        try cloud[0].succeed("import", cloud[0].folder.file("source").path, daemon: "0")
        try cloud[0].succeed("album", "create", "Secretalbum", daemon: "0")
        _ = try cloud.create()
        try cloud.sync(rounds: 1)
        let names = try cloud.objects()
        #expect(names.contains { $0.hasPrefix("blob/") } && names.contains { $0.hasPrefix("log/") })
        let needles = [
            Data("Secretname".utf8), Data("Secretalbum".utf8), Data("Computer 0".utf8),
            bytes.prefix(64), bytes.suffix(64),
        ]
        for name in names {
            let stored = try Data(contentsOf: URL(fileURLWithPath: cloud.store + "/" + name))
            for needle in needles { #expect(stored.range(of: needle) == nil, "\(name)") }
        }
    }

    @Test func mistakesHaveClearErrors() throws {
        let cloud = try CloudHomes(2)
        func failure(_ index: Int, _ arguments: String...) throws -> String {
            let output = try cloud[index]
                .run(BuiltProducts.photos.path, arguments, daemon: nil)
            #expect(output.status != 0, "\(arguments) succeeded: \(output.text)")
            return output.errorText
        }
        #expect(try failure(0, "cloud", "sync", "--once").contains("not part of a cloud library"))
        try cloud[0].folder.write(Data("some passphrase\n".utf8), to: "some")
        let some = cloud[0].folder.file("some").path
        #expect(
            try failure(0, "cloud", "join", cloud.address, "--passphrase-file", some)
                .contains("There is no cloud library")
        )
        let missing = "file://" + cloud.folder.path + "/absent"
        #expect(try failure(0, "cloud", "create", missing).contains("absent"))
        let code = try cloud.create()
        #expect(try failure(0, "cloud", "create", cloud.address).contains("already"))
        #expect(try failure(1, "cloud", "create", cloud.address).contains("photos cloud join"))
        try cloud[1].folder.write(Data("wrong passphrase".utf8), to: "wrong")
        #expect(
            try failure(
                1,
                "cloud",
                "join",
                cloud.address,
                "--passphrase-file",
                cloud[1].folder.file("wrong").path
            ).contains("recovery code")
        )
        // Another disk at the same place is never taken for this cloud library.
        try cloud.join(with: code)
        try cloud.sync(rounds: 1)
        try FileManager.default.moveItem(
            atPath: cloud.store,
            toPath: cloud.folder.path + "/unplugged"
        )
        try FileManager.default.createDirectory(
            atPath: cloud.store,
            withIntermediateDirectories: false
        )
        #expect(try failure(1, "cloud", "sync", "--once").contains("is not at"))
        #expect(try cloud.objects().isEmpty)
        try FileManager.default.removeItem(atPath: cloud.store)
        try FileManager.default.moveItem(
            atPath: cloud.folder.path + "/unplugged",
            toPath: cloud.store
        )
        try cloud.sync(rounds: 1)
    }

    /// A store that was replaced by an older copy of itself is not merged and not written.
    @Test func anOlderStoreIsNoticed() throws {
        let cloud = try CloudHomes(2)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "0")
        try cloud.join(with: cloud.create())
        try cloud.sync()
        let older = cloud.folder.path + "/older"
        try FileManager.default.copyItem(atPath: cloud.store, toPath: older)
        let id = try Self.identifiers(cloud[0])[0]
        try cloud[0].succeed("set", id, "--title", "Later", daemon: "0")
        try cloud.sync()
        let newer = cloud.folder.path + "/newer"
        try FileManager.default.moveItem(atPath: cloud.store, toPath: newer)
        try FileManager.default.moveItem(atPath: older, toPath: cloud.store)
        let before = try cloud.objects()
        try cloud[1].succeed("set", id, "--title", "Latest", daemon: "0")
        let output = try cloud[1].photos("cloud", "sync", "--once", daemon: nil)
        #expect(output.status == 1 && output.errorText.contains("older"), "\(output.errorText)")
        #expect(
            try cloud.objects().filter { $0.hasPrefix("log/") }
                == before.filter { $0.hasPrefix("log/") }
        )
        // With the present store, everything goes on.
        try FileManager.default.removeItem(atPath: cloud.store)
        try FileManager.default.moveItem(atPath: newer, toPath: cloud.store)
        try cloud.sync()
        try cloud.expectEqual()
        #expect(try cloud.facts(0).contains { $0.contains("Latest") })
    }

    /// A removed computer reads nothing new, and the others go on with new keys.
    @Test func aRetiredComputerReadsNothingNew() throws {
        let cloud = try CloudHomes(3)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "0")
        try cloud.join(with: cloud.create())
        try cloud.sync()
        let devices = try cloud[0].succeed("cloud", "devices", "--json", daemon: nil)
        #expect(devices.split(separator: "\n").count == 3)
        let reply = try CloudHomes.object(
            cloud[0].succeed("cloud", "retire", "Computer 2", "--yes", "--json", daemon: nil)
        )
        #expect((reply["recoveryCode"] as? String)?.count == 34)
        let id = try Self.identifiers(cloud[0])[0]
        try cloud[0].succeed("set", id, "--title", "New secret", daemon: "0")
        for index in [0, 1, 0] {
            try cloud[index].succeed("cloud", "sync", "--once", daemon: nil)
        }
        try cloud.expectEqual()
        #expect(try cloud.facts(1).contains { $0.contains("New secret") })
        let output = try cloud[2].photos("cloud", "sync", "--once", daemon: nil)
        #expect(output.status == 1, "\(output.text)")
        #expect(try !cloud.facts(2).contains { $0.contains("New secret") })
    }

    /// A library that left is an ordinary one, keeps its photos, and can join again.
    @Test func leavingKeepsEverything() throws {
        let cloud = try CloudHomes(2)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg", "b.jpg"), daemon: "0")
        let code = try cloud.create()
        try cloud.join(with: code)
        try cloud.sync()
        let facts = try cloud.facts(1)
        try cloud[1].succeed("cloud", "leave", daemon: nil)
        #expect(try cloud.facts(1) == facts)
        try cloud.verify(1)
        let status = try CloudHomes.object(
            cloud[1].succeed("cloud", "status", "--json", daemon: nil)
        )
        #expect(status["state"] as? String == "none")
        try cloud.join(1, with: code)
        try cloud.sync(rounds: 3)
        try cloud.expectEqual()
        #expect(try cloud.facts(0).count == facts.count)
    }

    /// Sessions that another program requests do not shorten the minute between two sessions.
    @Test func otherSessionsDoNotEndTheMinute() throws {
        let cloud = try CloudHomes(1)
        _ = try cloud.create()
        let home = cloud[0]
        func sockets() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(atPath: home.runtimePath)
            return Set(names.filter { $0.hasPrefix("photos-cloud-") })
        }
        let earlier = try sockets()
        var variables = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in home.environment { variables[name] = value }
        let syncing = try ProcessRunner.start(
            BuiltProducts.photos.path,
            ["cloud", "sync", "--json"],
            environment: variables,
            folder: home.folder.url
        )
        defer {
            syncing.interrupt()
            _ = syncing.wait()
        }
        let newline = UInt8(ascii: "\n")
        let hasSynced = syncing.output { $0.contains(newline) ? true : nil }
        try #require(hasSynced == true)
        let name = try #require(try sockets().subtracting(earlier).first)
        let socket = home.runtimePath + "/" + name + "/socket"
        for _ in 0..<3 { try home.succeed("cloud", "sync", "--once", daemon: socket) }
        #expect(syncing.standardOutput.count { $0 == newline } == 1)
        // The store exists until here.
        #expect(try !cloud.objects().isEmpty)
    }

    /// The daemon syncs by itself: what is imported here appears there.
    @Test func daemonsSyncInTheBackground() throws {
        let cloud = try CloudHomes(2)
        try cloud.join(with: cloud.create())
        for home in cloud.homes { try home.startDaemon("--cloud-scale", "0.01") }
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "1")
        let hasArrived = try cloud[1].waits(seconds: 120, pause: 100) {
            try CloudHomes.object(cloud[1].succeed("cloud", "status", "--json", daemon: nil))[
                "pending"
            ] != nil && cloud[1].succeed("list", "--json", daemon: "1").contains("a.jpg")
        }
        #expect(hasArrived)
        let output = try cloud[0].photos("cloud", "sync", daemon: nil)
        #expect(output.status != 0 && output.errorText.contains("daemon"))
        try cloud[0].succeed("cloud", "sync", "--once", daemon: nil)
    }
}
