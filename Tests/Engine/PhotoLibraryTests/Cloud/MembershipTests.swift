import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// New names of a device, lost states of hosts, and leaving a cloud library.
@Suite(.timeLimit(.minutes(60))) struct MembershipTests {
    private struct World {
        var libraries: [SyncedLibrary]
        var cloud = SimulatedStore()

        init(_ count: Int = 2, seed: UInt64 = 0) throws {
            libraries = try (0..<count).map { number in
                let generator = SeededGenerator(seed: seed &+ UInt64(number))
                let library = try SyncedLibrary(number: number, generator: generator)
                try library.join()
                return library
            }
        }

        mutating func exchange(_ count: Int = 4) throws {
            for _ in 0..<count {
                for library in libraries {
                    let twins = Array(repeating: Duty.pairTwins(limit: 1), count: 8)
                    try library.synchronize(
                        with: &cloud,
                        SyncedLibrary.publishing + [.pollAll] + twins + [.publish]
                    )
                }
            }
        }

        func compare() throws {
            for library in libraries {
                do { try library.compareWithMergedState() } catch let error as Difference {
                    throw Difference("library \(library.number): \(error)")
                }
                let findings = try library.findings()
                guard findings.isEmpty else {
                    throw Difference("library \(library.number): \(findings)")
                }
            }
            let all = try libraries.map { try $0.facts() }
            for (number, facts) in all.enumerated().dropFirst() {
                for name in Set(facts.keys).union(all[0].keys).sorted()
                where facts[name] != all[0][name] {
                    throw Difference(
                        """
                        libraries 0 and \(number) differ in \(name):
                        \(all[0][name] ?? "missing")
                        ---
                        \(facts[name] ?? "missing")
                        """
                    )
                }
            }
        }

        /// The number of times that each operation stands in a segment, with its stamp.
        var published: [String: Int] {
            var counts: [String: Int] = [:]
            for case .segment(let sealed) in cloud.objects.values {
                for transaction in sealed.segment.transactions {
                    for case .set(let id, let key, _, _) in transaction.operations
                    where key.group != .modification {
                        counts["\(id) \(key) \(transaction.stamp)", default: 0] += 1
                    }
                }
            }
            return counts
        }
    }

    private func importPhoto(_ library: SyncedLibrary, _ byte: UInt8) throws -> String {
        let record = LibraryWorld.record("IMG_\(byte).JPG")
        try library.insertWithFile(record, bytes: [byte])
        return record.uuid
    }

    private func change(
        _ library: SyncedLibrary,
        _ uuid: String,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        library.clock.advance(by: 1)
        try library.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: uuid))
            body(&record)
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    @Test func settingsSayWhatTheLibraryIsPartOf() throws {
        let world = try LibraryWorld()
        let store = world.store
        var membership = try store.cloudMembership()
        #expect(membership == nil)
        for body in [
            { try store.continueCloud(as: CloudID(1, 1)) }, { try store.restartCloudExport() },
            { try store.leaveCloud() }, { try store.checkLeaving(abandoning: true) },
        ] as [() throws -> Void] {
            let error = #expect(throws: LibraryError.self, performing: body)
            #expect(error?.code == .changeNotSupported)
        }
        try store.joinCloud(library: "A", device: CloudID(1, 1))
        try store.continueCloud(as: CloudID(2, 2))
        try store.continueCloud(as: CloudID(2, 2))
        try store.continueCloud(as: CloudID(3, 3))
        membership = try store.cloudMembership()
        #expect(membership?.library == "A")
        #expect(membership?.device == CloudID(3, 3))
        #expect(membership?.formerDevices == [CloudID(1, 1), CloudID(2, 2)])
        let error = #expect(throws: LibraryError.self) {
            try store.continueCloud(as: CloudID(1, 1))
        }
        #expect(error?.code == .invalidRequest)
        try store.leaveCloud()
        membership = try store.cloudMembership()
        #expect(membership == nil)
        try store.joinCloud(library: "B", device: CloudID(1, 1))
        membership = try store.cloudMembership()
        #expect(membership?.formerDevices == [])
    }

    /// Cloud identifiers that were given out stay valid, and new ones are those of all devices.
    @Test func theNamesOfALibraryStay() throws {
        let world = try LibraryWorld()
        let store = world.store
        let own = try store.libraryUUID()
        let first = CloudID(1, 2)
        let second = CloudID(3, 4)
        func names() throws -> [String] { try store.libraryNames() }
        #expect(try names() == [own])
        try store.joinCloud(library: first.hexadecimal, device: CloudID(1, 1))
        #expect(try names() == [first.uuid, own])
        try store.leaveCloud()
        #expect(try names() == [own, first.uuid])
        try store.joinCloud(library: second.hexadecimal, device: CloudID(1, 1))
        #expect(try names() == [second.uuid, own, first.uuid])
        try store.leaveCloud()
        try store.joinCloud(library: first.hexadecimal, device: CloudID(2, 1))
        #expect(try names() == [first.uuid, own, second.uuid])
    }

    @Test func changesAroundANewNameTravelOnce() throws {
        var world = try World()
        let library = world.libraries[0]
        let photo = try importPhoto(library, 1)
        try change(library, photo) { $0.title = "Published" }
        try world.exchange()
        try change(library, photo) { $0.isFavorite = true }
        try library.continueCloud(losesState: false)
        try change(library, photo) { $0.rating = 3 }
        try world.exchange()
        try world.compare()
        let repeated = world.published.filter { $0.value != 1 }
        #expect(repeated == [:])
        let other = try world.libraries[1].store.read { try AssetRowFinder($0).asset(uuid: photo) }
        #expect(other?.title == "Published")
        #expect(other?.isFavorite == true)
        #expect(other?.rating == 3)
    }

    @Test func aLostHostPublishesEverythingAgain() throws {
        var world = try World()
        let library = world.libraries[0]
        let photos = try (1...5).map { try importPhoto(library, $0) }
        let foreign = try importPhoto(world.libraries[1], 9)
        try world.exchange()
        try change(world.libraries[1], foreign) { $0.title = "Elsewhere" }
        try world.exchange()
        // In the hands of the host, and not published.
        try change(library, photos[0]) { $0.isFavorite = true }
        try change(library, foreign) { $0.rating = 2 }
        let export = try #require(try library.store.exportChanges())
        try library.store.markExported(export)
        try library.continueCloud(losesState: true)
        var parts = 0
        var authors: Set<CloudID> = []
        var named: Set<CloudID> = []
        while let export = try library.store.exportChanges(limit: 2) {
            parts += 1
            authors.formUnion(export.transactions.map(\.author))
            for case .set(let id, _, _, _) in export.transactions.flatMap(\.operations) {
                named.insert(id)
            }
            try library.store.markExported(export)
        }
        #expect(parts > 2)
        let membership = try #require(try library.store.cloudMembership())
        #expect(authors.isSubset(of: membership.formerDevices + [membership.device]))
        for photo in photos + [foreign] { #expect(named.contains(try CloudID.of(photo))) }
        try library.store.restartCloudExport()
        try world.exchange()
        try world.compare()
        let other = try world.libraries[1].store.read { database in
            try (photos + [foreign]).map { try AssetRowFinder(database).asset(uuid: $0) }
        }
        #expect(other[0]?.isFavorite == true)
        #expect(other[5]?.rating == 2)
        #expect(other[5]?.title == "Elsewhere")
    }

    @Test func filesThatAreOnlyInTheCloudKeepTheLibraryInIt() throws {
        var world = try World()
        let photos = try (1...3).map { try importPhoto(world.libraries[0], $0) }
        try world.exchange()
        let store = world.libraries[1].store
        let error = #expect(throws: LibraryError.self) { try store.leaveCloud() }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.message.contains("3 files") == true)
        let refusal = #expect(throws: LibraryError.self) {
            try store.checkLeaving(abandoning: false)
        }
        #expect(refusal?.message == error?.message)
        try store.checkLeaving(abandoning: true)
        let membership = try store.cloudMembership()
        #expect(membership != nil)
        try store.leaveCloud(abandoning: true)
        let findings = try world.libraries[1].findings()
        #expect(findings.count == photos.count)
        #expect(findings.allSatisfy { $0.hasPrefix("missingFile") })
        let away = try store.missingFileCounts().waiting
        #expect(away == 0)
    }

    @Test func aLibraryThatLeftHasNoStampsAndCanReturn() throws {
        var world = try World()
        let twins = try world.libraries.map { library in
            let record = LibraryWorld.record("IMG_1.JPG")
            try library.insertWithFile(record, bytes: [1, 2, 3])
            return record.uuid
        }
        let photo = try importPhoto(world.libraries[0], 5)
        try world.exchange()
        let library = world.libraries[1]
        try library.download(from: world.libraries)
        try library.store.leaveCloud()
        let left = try library.store.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM cloudStamp WHERE kind <> 4)
                        + (SELECT count(*) FROM cloudPending)
                        + (SELECT count(*) FROM setting
                            WHERE name LIKE 'cloud%' AND name <> 'cloudFormerLibraries')
                    """
            )
        }
        #expect(left == 0)
        let names = twins.map { LocalIdentifier(uuid: $0, kind: .asset).description }
        let request = AssetFetchRequest(scope: .identifiers(names))
        let answered = try AssetFetcher(LibraryView(store: library.store)).fetch(request).ids
        #expect(answered.count == 1)
        try change(library, photo) { $0.title = "While away" }
        #expect(throws: LibraryError.self) { try library.store.exportChanges() }
        try change(world.libraries[0], photo) { $0.rating = 4 }
        try library.rejoin()
        try world.exchange(6)
        try world.compare()
        let values = try world.libraries[0].store.read {
            try AssetRowFinder($0).asset(uuid: photo)
        }
        #expect(values?.title == "While away")
        #expect(values?.rating == 4)
    }

    // MARK: - Random incidents

    private static let runs =
        ProcessInfo.processInfo.environment["PHOTOS_SYNC_RUNS"].flatMap(Int.init) ?? 4

    @Test func librariesAgreeAfterIncidents() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for run in 0..<Self.runs {
            let value = run == 0 ? seed.value : generator.next() & 0xFFFF_FFFF
            do {
                try Self.run(seed: value)
            } catch {
                Issue.record("PHOTOS_TEST_SEED=\(value): \(error)")
                return
            }
        }
    }

    private static func run(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = try World(Int.random(in: 2...3, using: &generator), seed: generator.next())
        for _ in 0..<60 {
            guard let library = world.libraries.randomElement(using: &generator) else { return }
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                try library.synchronize(with: &world.cloud, SyncedLibrary.publishing)
                try library.change()
                try library.continueCloud(losesState: false)
            case 1:
                // The host had taken changes that it never published.
                try library.synchronize(with: &world.cloud, [])
                try library.continueCloud(losesState: true)
            case 2:
                try world.exchange(2)
                try library.download(from: world.libraries)
                guard try library.store.missingFileCounts().waiting == 0 else { continue }
                try library.store.leaveCloud()
                for _ in 0..<Int.random(in: 0..<4, using: &generator) { try library.change() }
                try library.rejoin()
            case 3: try library.download(from: world.libraries)
            case 4..<8:
                try library.synchronize(
                    with: &world.cloud,
                    [.publish, .publish, .pollAll, .pairTwins(limit: 1)]
                )
            default:
                try library.change()
                try library.checkObservers()
            }
        }
        try world.exchange(8)
        try world.compare()
    }
}
