import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Daemons that die while they sync.
///
/// `PHOTOS_KILLS` sets the number of kills; 200 is the full length.
@Suite(.timeLimit(.minutes(30))) struct CloudKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap { Int($0) } ?? 6

    private let seed = TestSeed()

    /// Whatever was acknowledged on either computer is on both in the end, the store is whole, and
    /// no computer had to continue as a new device: each repeated its journal.
    @Test func nothingIsLost() throws {
        var generator = seed.generator
        let cloud = try CloudHomes(2)
        try cloud.join(with: cloud.create())
        var photo: UInt64 = 1_000
        var expected = 0
        for round in 0..<Self.kills {
            let index = Int.random(in: 0..<2, using: &generator)
            let home = cloud[index]
            let daemon = try home.startDaemon("--cloud-scale", "0.0005")
            let name = "in/\(round).jpg"
            photo += 1
            try home.folder.write(try DaemonHome.photo(photo), to: name)
            try home.succeed("import", home.folder.file(name).path, daemon: "1")
            expected += 1
            if Bool.random(using: &generator) {
                try home.succeed("album", "create", "Album \(round)", daemon: "1")
            }
            // Time is the subject: a session takes some hundred milliseconds here.
            usleep(UInt32.random(in: 0..<400_000, using: &generator))
            daemon.kill()
            daemon.wait()
        }
        try cloud.sync(rounds: 3)
        try cloud.expectEqual()
        let listed = try cloud[0].succeed("list", "--json", daemon: "0").split(separator: "\n")
        #expect(listed.count == expected, "\(seed)")
        for index in 0..<2 {
            try cloud.verify(index)
            let devices = try cloud[index].succeed("cloud", "devices", "--json", daemon: nil)
            #expect(devices.split(separator: "\n").count == 2, "\(seed): \(devices)")
        }
        let findings = try cloud[0].photos("cloud", "verify", "--sample", "100", daemon: nil)
        #expect(findings.status == 0, "\(seed): \(findings.text)\(findings.errorText)")
    }
}
