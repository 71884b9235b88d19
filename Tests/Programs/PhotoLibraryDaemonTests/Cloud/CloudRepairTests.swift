import Foundation
import TestSupport
import Testing

/// Files that are damaged in the store, and repaired from a computer that has them.
@Suite(.timeLimit(.minutes(10))) struct CloudRepairTests {
    private let cloud: CloudHomes

    init() throws {
        cloud = try CloudHomes(2)
        let source = try cloud[0].drawPhotos("a.jpg", "b.jpg", "c.jpg", "d.jpg", side: 600)
        try cloud[0].succeed("import", source, daemon: "0")
    }

    private func blobs() throws -> [String] {
        try cloud.objects().filter { $0.hasPrefix("blob/") }.sorted()
    }

    private func file(_ name: String) -> URL {
        URL(fileURLWithPath: cloud.store + "/" + name)
    }

    /// Changes one byte, cuts, and removes one object each; the fourth one stays whole.
    private func damage(_ names: [String]) throws {
        var bytes = try Data(contentsOf: file(names[0]))
        bytes[bytes.count / 2] ^= 1
        for name in names.prefix(3) { try FileManager.default.removeItem(at: file(name)) }
        try bytes.write(to: file(names[0]))
        try Data(bytes.prefix(100)).write(to: file(names[1]))
    }

    private func verify(
        _ index: Int,
        _ arguments: String...
    ) throws -> (status: Int, findings: [[String: Any]]) {
        let output = try cloud[index].run(
            BuiltProducts.photos.path,
            ["cloud", "verify", "--sample", "100", "--json"] + arguments,
            daemon: nil
        )
        let findings = try output.text.split(separator: "\n").map {
            try CloudHomes.object(String($0))
        }
        return (Int(output.status), findings)
    }

    @Test func damagedFilesAreUploadedAgain() throws {
        let code = try cloud.create()
        try cloud[0].succeed("cloud", "sync", "--once", daemon: nil)
        let names = try blobs()
        let before = try names.map { try Data(contentsOf: file($0)) }
        try #require(names.count == 4)
        try damage(names)
        let found = try verify(0)
        #expect(found.status == 1 && found.findings.count == 3)
        #expect(found.findings.allSatisfy { $0["repaired"] == nil })

        // A computer that has none of the files repairs nothing, and says why.
        try cloud.join(1, with: code)
        let failed = try verify(1, "--repair")
        #expect(failed.status == 1 && failed.findings.count == 3)
        for finding in failed.findings {
            #expect(finding["repaired"] as? Bool == false)
            #expect((finding["reason"] as? String)?.contains("not on this computer") == true)
        }

        let repaired = try verify(0, "--repair")
        #expect(repaired.status == 0, "\(repaired.findings)")
        #expect(repaired.findings.compactMap { $0["object"] as? String } == Array(names.prefix(3)))
        #expect(repaired.findings.allSatisfy { $0["repaired"] as? Bool == true })
        // They are the same objects, so no other computer has to learn anything.
        #expect(try names.map { try Data(contentsOf: file($0)) } == before)
        #expect(try verify(0).findings.isEmpty)

        try cloud.sync()
        try cloud.expectEqual()
        try cloud.verify(1)
        #expect(try verify(1).findings.isEmpty)
    }

    /// The state of a library's sync is lost, and an upload of its former device is left behind.
    @Test func abandonedFilesAreRemoved() throws {
        try cloud.join(with: cloud.create())
        try cloud.sync()
        let devices = try cloud[1].succeed("cloud", "devices", "--json", daemon: nil)
            .split(separator: "\n").map { try CloudHomes.object(String($0)) }
        let own = try #require(devices.first { $0["thisDevice"] as? Bool == true })
        let former = try #require(own["device"] as? String)
        try FileManager.default.removeItem(atPath: cloud[1].library + "/database/cloud")
        try cloud.sync(rounds: 4)
        #expect(try verify(0).findings.isEmpty)
        let name = "blob/\(former)/" + String(repeating: "a1", count: 16)
        try FileManager.default.createDirectory(
            at: file(name).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(count: 4_000).write(to: file(name))

        let found = try verify(0)
        #expect(found.status == 1)
        #expect(found.findings.compactMap { $0["object"] as? String } == [name])
        let text = found.findings.first?["finding"] as? String
        #expect(text?.contains("--repair removes its 4000 bytes") == true)
        #expect(try blobs().contains(name))

        // It is removed once the other computer has read that it will be.
        let repaired = try verify(0, "--repair")
        #expect(repaired.status == 1 && repaired.findings.count == 1)
        #expect(repaired.findings.first?["repaired"] as? Bool == false)
        try cloud.sync()
        #expect(try !blobs().contains(name))
        let last = try verify(0)
        #expect(last.status == 0 && last.findings.isEmpty)
        try cloud.expectEqual()
    }

    /// The daemon repairs what the computer of somebody else had uploaded, and not what differs.
    @Test func onlyTheFileThatWasStoredRepairsAnObject() throws {
        try cloud.join(with: cloud.create())
        try cloud.sync()
        let names = try blobs()
        try #require(names.count == 4)
        try damage(names)
        // One original of the second computer is damaged as well.
        let folder = cloud[1].library + "/originals"
        let originals = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".jpg") }.map { folder + "/" + $0 }.sorted()
        try #require(originals.count == 4)
        var wrong = try Data(contentsOf: URL(fileURLWithPath: originals[0]))
        wrong[wrong.count / 2] ^= 1
        try FileManager.default.removeItem(atPath: originals[0])
        try wrong.write(to: URL(fileURLWithPath: originals[0]))
        try cloud[1].startDaemon("--cloud-scale", "0.01")
        let (status, findings) = try verify(1, "--repair")
        let repaired = findings.filter { $0["repaired"] as? Bool == true }
        let refused = findings.filter { $0["repaired"] as? Bool == false }
        // The damaged original may be that of the object that is whole.
        #expect(findings.count == 3 && refused.count == (status == 0 ? 0 : 1))
        for finding in refused {
            #expect((finding["reason"] as? String)?.contains("SHA-256") == true, "\(finding)")
        }
        #expect(repaired.count + refused.count == 3)
        // The first computer has all of them.
        #expect(try verify(0, "--repair").status == 0)
        #expect(try verify(0).findings.isEmpty)
    }
}
