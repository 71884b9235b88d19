import Foundation
import TestSupport
import Testing

/// New passphrases and recovery codes, as people make them.
///
/// `PHOTOS_KILLS` sets the number of kills.
@Suite(.timeLimit(.minutes(30))) struct CloudPassphraseTests {
    private static let kills =
        ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap { Int($0) } ?? 2

    private let seed = TestSeed()
    private let cloud: CloudHomes

    init() throws {
        cloud = try CloudHomes(3)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "0")
    }

    /// Makes the cloud library with a passphrase, and joins the second computer.
    private func begin(_ passphrase: String) throws {
        let path = try secret(0, passphrase)
        let output = try cloud[0].photos(
            "cloud",
            "create",
            cloud.address,
            "--passphrase-file",
            path,
            daemon: nil
        )
        #expect(output.status == 0, "\(output.errorText)")
        try cloud.join(1, with: passphrase)
        for index in [0, 1, 0, 1] {
            try cloud[index].succeed("cloud", "sync", "--once", daemon: nil)
        }
    }

    /// Writes a secret to a file of a computer.
    private func secret(_ index: Int, _ text: String) throws -> String {
        try cloud[index].folder.write(Data((text + "\n").utf8), to: "passphrase")
        return cloud[index].folder.file("passphrase").path
    }

    /// Joins the third computer, which leaves again.
    private func canJoin(_ text: String) throws -> Bool {
        let joined = try cloud[2].photos(
            "cloud",
            "join",
            cloud.address,
            "--passphrase-file",
            secret(2, text),
            daemon: nil
        )
        guard joined.status == 0 else { return false }
        try cloud[2].succeed("cloud", "sync", "--once", daemon: nil)
        let listed = try cloud[2].succeed("list", daemon: "0")
        #expect(listed.contains("a.jpg"))
        try cloud[2].succeed("cloud", "leave", "--abandon", daemon: nil)
        return true
    }

    @Test func theNewPassphraseReplacesTheFormerOne() throws {
        try begin("first passphrase")
        let path = try secret(0, "second passphrase")
        let reply = try CloudHomes.object(
            cloud[0].succeed(
                "cloud",
                "passphrase",
                "--passphrase-file",
                path,
                "--json",
                daemon: nil
            )
        )
        let code = try #require(reply["recoveryCode"] as? String)
        #expect(code.count == 34)
        #expect(reply["published"] as? Bool == true && reply["formerRemoved"] as? Bool == true)
        #expect(try cloud.objects().count { $0.hasPrefix("keys/") } == 1)
        #expect(try !canJoin("first passphrase"))
        #expect(try canJoin("second passphrase"))
        #expect(try canJoin(code))
        let short = try cloud[0].photos(
            "cloud",
            "passphrase",
            "--passphrase-file",
            secret(0, "short"),
            daemon: nil
        )
        #expect(short.status == 1 && short.errorText.contains("8 characters"))
        let untyped = try cloud[0].photos("cloud", "passphrase", daemon: nil)
        #expect(untyped.status == 2 && untyped.errorText.contains("--passphrase-file"))
        try cloud[1].succeed("cloud", "sync", "--once", daemon: nil)
        try cloud.expectEqual()
    }

    /// Whenever the daemon dies during a change, the former passphrase or the new one opens the
    /// store, and the computers go on.
    @Test func aPassphraseOpensTheStoreAfterEachKill() throws {
        var generator = seed.generator
        var valid = "passphrase 0"
        try begin(valid)
        for round in 1...max(1, Self.kills) {
            let next = "passphrase \(round)"
            let daemon = try cloud[0].startDaemon("--cloud-scale", "0.01")
            let command = try ChildProcess(
                BuiltProducts.photos.path,
                ["cloud", "passphrase", "--passphrase-file", secret(0, next)],
                environment: cloud[0].environment
            )
            // Time is the subject: a change takes some seconds here.
            usleep(UInt32.random(in: 0..<4_000_000, using: &generator))
            daemon.kill()
            daemon.wait()
            command.wait()
            for index in [0, 1, 0] {
                try cloud[index].succeed("cloud", "sync", "--once", daemon: nil)
            }
            let opens = try [valid, next].filter { try canJoin($0) }
            #expect(opens.count == 1, "\(seed): \(opens) of round \(round)")
            valid = opens.first ?? valid
        }
        try cloud.expectEqual()
    }
}
