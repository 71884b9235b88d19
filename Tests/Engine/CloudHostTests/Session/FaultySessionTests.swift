import CloudKeys
import CloudSync
import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import SamplePhotos
import Synchronization
import TestSupport
import Testing

@testable import CloudHost

/// Sessions of real libraries with a store that loses, delays, doubles and alters.
@Suite(.timeLimit(.minutes(5))) struct FaultySessionTests {
    private let seed = TestSeed()

    /// The faults of a store, which end when the test says so.
    private final class Faults: Sendable {
        private struct State {
            var generator: SeededGenerator
            var rate = 0
        }

        private let state: Mutex<State>

        init(_ generator: SeededGenerator) { state = Mutex(State(generator: generator)) }

        func setRate(_ percent: Int) { state.withLock { $0.rate = percent } }

        func next(_ request: FakeRequest) -> StoreFault? {
            state.withLock { state in
                guard Int.random(in: 0..<100, using: &state.generator) < state.rate else {
                    return nil
                }
                let faults: [StoreFault] = [
                    .lostRequest, .lostAnswer, .lateEffect, .doubled, .cut(after: 7),
                    .altered(at: 40), .throttled(retryAfter: nil), .serverFault,
                ]
                return faults.randomElement(using: &state.generator)
            }
        }
    }

    /// Whatever fails on the way, both libraries have the same photos, titles and files in the end,
    /// and all files are those that were imported.
    @Test(arguments: 0..<4) func librariesConverge(number: UInt64) async throws {
        var generator = SeededGenerator(seed: seed.value &+ number)
        let faults = Faults(SeededGenerator(seed: generator.next()))
        let store = MemoryStore { faults.next($0) }
        let first = try HostWorld(store)
        let second = try HostWorld(store)
        let worlds = [first, second]
        try await second.join(with: first.create())
        faults.setRate(12)
        var uuids: [String] = []
        var failures = 0
        for round in 0..<10 {
            for world in worlds {
                if Bool.random(using: &generator) {
                    uuids.append(
                        try world.world.addPhoto(
                            Int(number) * 1_000 + uuids.count,
                            size: PixelSize(width: 40, height: 30)
                        )
                    )
                }
                let present = try world.facts()
                if let uuid = uuids.randomElement(using: &generator),
                    present.contains(where: { $0.hasPrefix(uuid) })
                {
                    try world.set(uuid, title: "Round \(round)")
                }
                do { try await world.sync() } catch { failures += 1 }
                if Bool.random(using: &generator) { store.settle() }
            }
        }
        faults.setRate(0)
        store.settle()
        for _ in 0..<3 { for world in worlds { try await world.sync() } }
        let facts = try first.facts()
        #expect(try facts == second.facts(), seed.comment)
        #expect(facts.count == uuids.count, seed.comment)
        #expect(facts.filter { !$0.hasSuffix(" 0") } == [], seed.comment)
        // The faults were not for nothing.
        #expect(failures > 0, seed.comment)
        for world in worlds {
            let host = try world.host()
            let devices = try await host.devices()
            #expect(devices.count == 2, seed.comment)
            let findings = try await host.verify(percent: 100)
            #expect(findings.isEmpty, "\(seed): \(findings)")
            await host.close()
        }
    }

    /// A library whose state was lost, as after the restoration of its database alone, continues as
    /// a new device and loses nothing.
    @Test func aLostStateIsReplaced() async throws {
        let store = MemoryStore()
        let first = try HostWorld(store)
        let second = try HostWorld(store)
        try await second.join(with: first.create())
        let uuid = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        for world in [first, second, first] { try await world.sync() }
        try second.set(uuid, title: "Unpublished")
        try FileManager.default.removeItem(atPath: second.engine.cloudStateFolder)
        for _ in 0..<3 { for world in [second, first] { try await world.sync() } }
        #expect(try first.facts() == second.facts())
        #expect(try first.facts().first?.contains("Unpublished") == true)
        let host = try first.host()
        let devices = try await host.devices()
        await host.close()
        #expect(devices.count == 3)
        #expect(devices.filter(\.isRetired).count == 1)
    }

    /// A host that ends before a session publishes the retirement of the former name leaves it to
    /// the next one.
    @Test(arguments: [false, true]) func aLaterHostRetiresTheFormerName(fails: Bool) async throws {
        let isDown = Mutex(false)
        let store = MemoryStore { _ in isDown.withLock(\.self) ? .lostRequest : nil }
        let first = try HostWorld(store)
        let second = try HostWorld(store)
        try await second.join(with: first.create())
        for world in [first, second, first] { try await world.sync() }
        let former = try #require(try second.engine.cloudMembership()).device
        try FileManager.default.removeItem(atPath: second.engine.cloudStateFolder)
        let host = try second.host()
        if fails {
            isDown.withLock { $0 = true }
            await #expect(throws: LibraryError.self) { try await host.session() }
            isDown.withLock { $0 = false }
        }
        await host.close()
        try await second.sync()
        try await first.sync()
        for world in [first, second] {
            let host = try world.host()
            let isRetired = await host.machine.state.retired.contains(former)
            #expect(isRetired)
            await host.close()
        }
    }

    /// Two copies of one library with its keys, both in use, become two devices.
    @Test func aCopyContinuesAsANewDevice() async throws {
        let store = MemoryStore()
        let first = try HostWorld(store)
        _ = try await first.create()
        _ = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        try await first.sync()
        let folder = first.engine.cloudStateFolder
        let copy = first.world.folder.file("copy").path
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        let uuid = try first.world.addPhoto(2, size: PixelSize(width: 40, height: 30))
        try await first.sync()
        // The state of before, as in an older image of the disk.
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: copy, toPath: folder)
        try first.set(uuid, title: "After the restoration")
        for _ in 0..<2 { try await first.sync() }
        let other = try HostWorld(store)
        let host = try first.host()
        let devices = try await host.devices()
        await host.close()
        #expect(devices.count == 2)
        #expect(other.secrets.libraries().isEmpty)
        #expect(try first.facts().contains { $0.contains("After the restoration") })
    }

    /// A file that the state of the sync takes for present, and that is not, comes back.
    @Test func aFileThatIsGoneIsDownloaded() async throws {
        let store = MemoryStore()
        let first = try HostWorld(store)
        let second = try HostWorld(store)
        try await second.join(with: first.create())
        let photo = try first.world.addPhoto(7, size: PixelSize(width: 40, height: 30))
        try await first.sync()
        try await second.sync()
        let path = try second.takeFileAway()
        let bytes = try Data(contentsOf: path)
        try FileManager.default.removeItem(at: path)
        // Missing files are looked for after changes of others.
        try first.set(photo, title: "Later")
        try await first.sync()
        let report = try await second.sync()
        #expect(report.downloaded == 1)
        #expect(try second.facts() == first.facts())
        #expect(try Data(contentsOf: path) == bytes)
    }

    /// A file that was damaged before its upload is reported and stops nothing; the next session
    /// uploads it if it was repaired.
    @Test func aDamagedFileStopsNothing() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let photo = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        let path = try first.path(ofFileOf: photo)
        let bytes = try Data(contentsOf: path)
        var damaged = bytes
        damaged[20] ^= 1
        try damaged.write(to: path)
        _ = try first.world.addPhoto(2, size: PixelSize(width: 40, height: 30))
        let report = try await first.sync()
        #expect(report.alarms.count == 1)
        #expect(report.alarms.first?.contains("is damaged and is not uploaded") == true)
        try await second.sync()
        // The other photo has its file.
        let facts = try second.facts()
        #expect(facts.count == 2 && facts.filter { $0.hasSuffix(" 0") }.count == 1)
        try bytes.write(to: path)
        #expect(try await first.sync().alarms == [])
        try await second.sync()
        #expect(try second.facts() == first.facts())
    }

    /// Returns two computers with one cloud library; the first one has a photo whose upload
    /// succeeded without an answer.
    private func worldsAfterALostAnswer() async throws
        -> (first: HostWorld, second: HostWorld, photo: String)
    {
        let loses = Mutex(false)
        let store = MemoryStore { request in
            let isBlob = request.key?.text.hasPrefix("blob/") == true
            return loses.withLock(\.self) && request.verb == .put && isBlob ? .lostAnswer : nil
        }
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let photo = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        loses.withLock { $0 = true }
        await #expect(throws: LibraryError.self) { try await first.sync() }
        loses.withLock { $0 = false }
        return (first, second, photo)
    }

    /// A file whose upload got no answer is in the store, even if its original is damaged or gone
    /// by the next attempt.
    @Test(arguments: [true, false]) func aStoredFileIsNotLostWithItsOriginal(isDamaged: Bool)
        async throws
    {
        let (first, second, photo) = try await worldsAfterALostAnswer()
        let path = try first.path(ofFileOf: photo)
        let bytes = try Data(contentsOf: path)
        if isDamaged {
            var damaged = bytes
            damaged[20] ^= 1
            try damaged.write(to: path)
        } else {
            try FileManager.default.removeItem(at: path)
        }
        #expect(try await first.sync().alarms == [])
        try await second.sync()
        #expect(try Data(contentsOf: second.path(ofFileOf: photo)) == bytes)
    }

    /// An upload whose key is lost is repeated under another name.
    @Test func anUploadWithoutItsKeyGetsAnotherName() async throws {
        let (first, second, photo) = try await worldsAfterALostAnswer()
        let uploads = URL(fileURLWithPath: first.world.store.bundle.root)
            .appendingPathComponent("database/cloud/uploads")
        let names = try FileManager.default.contentsOfDirectory(atPath: uploads.path)
        #expect(names.count == 1)
        for name in names {
            try Data("not a record".utf8).write(to: uploads.appendingPathComponent(name))
        }
        for _ in 0..<2 { #expect(try await first.sync().alarms == []) }
        try await second.sync()
        #expect(try second.facts() == first.facts())
        #expect(
            try Data(contentsOf: second.path(ofFileOf: photo))
                == Data(contentsOf: first.path(ofFileOf: photo))
        )
        let left = try FileManager.default.contentsOfDirectory(atPath: uploads.path)
        #expect(left.isEmpty)
    }

    /// A file that its disk cannot read is treated likewise, whether reading or opening it fails.
    @Test(.enabled(if: DeviceMount.isUsable, "This system has no usable /dev/fuse, or no fusepy."))
    func anUnreadableFileStopsNothing() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        func addPhoto(_ number: Int) throws -> URL {
            let photo = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
            return try first.path(ofFileOf: photo).deletingLastPathComponent()
        }
        let folder = try addPhoto(1)
        var unreadable = 1
        while try addPhoto(unreadable + 1) == folder { unreadable += 1 }
        let disk = first.world.folder.file("disk")
        try FileManager.default.moveItem(at: folder, to: disk)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // From the first failed read on, every call fails.
        let mount = try DeviceMount(
            of: disk,
            at: folder,
            log: first.world.folder.file("mount.log"),
            DeviceMount.Faults(inodes: "same", reads: 0, error: EIO)
        )
        defer { mount.unmount() }
        for _ in 0..<2 {
            let report = try await first.sync()
            #expect(report.alarms.count == unreadable)
            #expect(report.alarms.first?.contains("is damaged and is not uploaded") == true)
            try await second.sync()
            let facts = try second.facts()
            #expect(facts.count == unreadable + 1)
            #expect(facts.filter { $0.hasSuffix(" 0") }.count == 1)
        }
        mount.unmount()
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.moveItem(at: disk, to: folder)
        #expect(try await first.sync().alarms == [])
        try await second.sync()
        #expect(try second.facts() == first.facts())
    }
}
