import Foundation
import Glibc
import TestSupport
import Testing

/// Imports from cameras and phones that the system shows as folders.
@Suite(
    .enabled(if: DeviceMount.isUsable, "This system has no usable /dev/fuse, or no fusepy."),
    .timeLimit(.minutes(5))
)
struct MountedDeviceTests {
    let world: CommandWorld
    let mount: URL

    init() throws {
        world = try CommandWorld()
        mount = try world.folder.folder("phone")
    }

    private var log: URL { world.folder.file("log") }

    private func connect(_ faults: DeviceMount.Faults = DeviceMount.Faults()) throws -> DeviceMount
    {
        try DeviceMount(of: world.source, at: mount, log: log, faults)
    }

    /// Imports the mounted device.
    private func importDevice(status: Int32 = 0) throws -> [JSONLine] {
        try world.objects("import", "--json", mount.path, status: status)
    }

    private func expectWhole(_ count: Int) throws {
        #expect(try world.names().count == count)
        let verification = try world.run("verify", "--full")
        #expect(verification.errorText == "No problems found.\n")
    }

    private func photos(_ count: Int) throws {
        try world.photos((100..<100 + count).map { "DCIM/100/IMG_\($0).JPG" }, padding: 9000)
    }

    static let faults: [DeviceMount.Faults] = [
        .init(inodes: "zero", hasNoTimes: true, sizes: "zero"),
        .init(inodes: "same", hasNoTimes: true, sizes: "small"),
        .init(inodes: "changing", delay: 0.01),
    ]

    /// Equal inode numbers make no folder a loop, and changing ones make no file a changed one.
    @Test(arguments: faults) func filesWithoutIdentityAreImportedOnce(_ faults: DeviceMount.Faults)
        throws
    {
        try photos(8)
        try world.photos(["DCIM/DCIM/DCIM/nested.jpg"], padding: 300)
        let name = Array("\(world.source.path)/DCIM/bad".utf8) + [0xff] + Array(".jpg\0".utf8)
        let original = try world.photo("DCIM/good.jpg", seed: 99)
        let isRenamed = rename(original.path, name.map { CChar(bitPattern: $0) })
        #expect(isRenamed == 0)
        let device = try connect(faults)
        try withExtendedLifetime(device) {
            #expect(
                try importDevice().map { $0["outcome"] } == Array(repeating: "imported", count: 10)
            )
            let again = try importDevice()
            #expect(again.map { $0["outcome"] } == Array(repeating: "duplicate", count: 10))
        }
        try expectWhole(10)
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    /// The database and its log are read once each, though their inode numbers are never the same.
    @Test func libraryOfApplePhotosIsImported() throws {
        var library = AppleLibrary()
        library.assets = 4
        try library.write(to: world.source.appendingPathComponent("Mac.photoslibrary"))
        let device = try connect(.init(inodes: "changing", type: "gvfsd-fuse"))
        try withExtendedLifetime(device) {
            let path = mount.appendingPathComponent("Mac.photoslibrary").path
            let lines = try world.objects("import", "--json", path)
            #expect(lines.filter { $0["outcome"] == "imported" }.count == 4, "\(lines)")
        }
        try expectWhole(4)
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    /// Without times, a file that replaced another one of the same size looks the same.
    @Test func fileThatReplacedAnotherIsImported() throws {
        try world.photos(["1.jpg"], padding: 500)
        let file = world.source.appendingPathComponent("1.jpg")
        let device = try connect(.init(inodes: "same", hasNoTimes: true))
        try withExtendedLifetime(device) {
            _ = try importDevice()
            var data = try Data(contentsOf: file)
            data[data.count - 1] = 1
            try data.write(to: file)
            #expect(try importDevice().map { $0["outcome"] } == ["imported"])
        }
        try expectWhole(2)
    }

    /// A device that is unplugged may end a file early.
    @Test func fileWithFewerBytesThanItsSizeFails() throws {
        try photos(2)
        let device = try connect(.init(sizes: "large"))
        try withExtendedLifetime(device) {
            let lines = try importDevice(status: 1)
            #expect(lines.allSatisfy { $0["outcome"] == "failed" })
            let reason = lines.first?["reason"] ?? ""
            #expect(
                reason.contains("bytes can be read") && reason.contains("disconnected"),
                "\(reason)"
            )
        }
        #expect(try world.names().isEmpty)
    }

    @Test(arguments: [EIO, ENOTCONN, ENODEV, ESTALE, ENOENT])
    func vanishedDeviceIsNamedAndTheRestFollowsLater(_ error: Int32) throws {
        let count = 40
        try photos(count)
        var device: DeviceMount? = try connect(.init(reads: 25, error: error))
        let output = try world.run("import", "--json", mount.path)
        #expect(output.status == 1)
        let named = output.errorText.components(separatedBy: "The folder \(mount.path) disappeared")
        #expect(named.count == 2, "\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        let outcomes = Dictionary(grouping: lines) { $0["outcome"] ?? "" }
        let imported = outcomes["imported"]?.count ?? 0
        #expect(lines.count == count && outcomes["failed"]?.count == count - imported)
        #expect(imported > 0 && imported < count)
        #expect(outcomes["failed"]?.allSatisfy { $0["reason"]?.isEmpty == false } == true)
        try expectWhole(imported)
        device?.unmount()
        device = try connect()
        let second = Dictionary(grouping: try importDevice()) { $0["outcome"] ?? "" }
        #expect(second["imported"]?.count == count - imported)
        #expect(second["duplicate"]?.count == imported)
        try expectWhole(count)
        withExtendedLifetime(device) {}
    }

    @Test(arguments: ["gvfsd-fuse", "jmtpfs", "ifuse", "gphotofs"])
    func nothingIsDeletedOnDevices(_ type: String) throws {
        try photos(3)
        let device = try connect(.init(type: type))
        try withExtendedLifetime(device) {
            let refusal = try world.run(
                "import",
                "--move",
                mount.appendingPathComponent("DCIM").path
            )
            #expect(refusal.status != 0 && refusal.errorText.contains("nothing is ever deleted"))
            #expect(!FileManager.default.fileExists(atPath: world.library.path))
            // The mount is below the folder that is moved.
            let local = try world.folder.folder("both")
            let inner = try world.folder.folder("both/device")
            let second = try DeviceMount(of: world.source, at: inner, log: log, .init(type: type))
            try withExtendedLifetime(second) {
                try FileManager.default.copyItem(
                    at: world.source.appendingPathComponent("DCIM/100/IMG_100.JPG"),
                    to: local.appendingPathComponent("own.jpg")
                )
                let lines = try world.objects("import", "--json", "--move", local.path)
                #expect(lines.count == 4)
                let kept = lines.filter { $0["reason"]?.contains("nothing is deleted") == true }
                #expect(kept.count == 3, "\(lines.map(\.text))")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: world.source.path + "/DCIM/100"
        )
        #expect(left.count == 3)
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("both/own.jpg").path))
    }
}
