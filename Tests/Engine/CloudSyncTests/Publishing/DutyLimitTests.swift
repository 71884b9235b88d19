import CloudSync
import Foundation
import TestSupport
import Testing

@testable import CloudSimulation

/// Duties that handle several objects in one step.
@Suite(.timeLimit(.minutes(2))) struct DutyLimitTests {
    private static func content(_ number: Int) -> ContentID {
        ContentID(CloudID(1, UInt64(number)), CloudID(2, UInt64(number)))
    }

    /// A full computer, the only one, that has published photos with one file each.
    private static func computer(
        _ store: inout SimulatedStore,
        photos: Int
    ) throws -> TestComputer {
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = 4
        computer.importPhotos((0..<photos).map { [content($0)] })
        try computer.publish(&store)
        try computer.perform(.pollAll, &store)
        try #require(computer.machine.isFull)
        try #require(computer.machine.state.blobs.count == photos)
        return computer
    }

    /// Moves all photos of a computer to the trash, purges them and publishes that.
    ///
    /// - Returns: The photos in ascending order, which is that of their contents.
    private static func purgeAll(
        _ computer: inout TestComputer,
        _ store: inout SimulatedStore
    ) throws -> [CloudID] {
        let trash = RegisterKey(.trash)
        let photos = computer.machine.state.objects.keys.sorted()
        for photo in photos {
            computer.step(.commit([.set(photo, trash, rank: 0, .number(1))], adding: []))
            let register = computer.machine.state.objects[photo]?.registers[trash]
            let stamp = try #require(register?.stamp)
            computer.step(.commit([.purge(photo, trash: stamp, date: .number(1))], adding: []))
        }
        try computer.publish(&store)
        let purged = computer.machine.state.purged
        #expect(purged == Set(photos))
        return photos
    }

    /// The blobs whose deletion was requested and not answered, in the order of the requests.
    private static func deletions(of computer: TestComputer) -> [BlobName] {
        computer.requests.compactMap {
            if case .delete(.blob(let blob)) = $0.request { blob } else { nil }
        }
    }

    // MARK: - Purges

    @Test func severalPurgesBecomeFinalAtOnce() throws {
        var store = SimulatedStore()
        var computer = try Self.computer(&store, photos: 5)
        let photos = try Self.purgeAll(&computer, &store)
        try #require(photos.count == 5)
        #expect(computer.machine.unexported.isEmpty)
        let environment = SyncEnvironment(now: 1_000, fresh: CloudID(9, 9))
        let outputs = computer.machine.step(.perform(.finishPurges(limit: 3)), environment)
        #expect(computer.machine.state.finals == Set(photos.prefix(3)))
        let expected: [CloudOperation] = photos.prefix(3).map { .final($0) }
        #expect(computer.machine.unexported.map(\.operations) == [expected])
        var removed: [ContentID] = []
        for case .removeFile(let content) in outputs { removed.append(content) }
        #expect(removed == [0, 1, 2].map(Self.content))
        #expect(computer.machine.files == Set([3, 4].map(Self.content)))
        var applied: [[CloudOperation]] = []
        for case .apply(let transactions) in outputs { applied += transactions.map(\.operations) }
        #expect(applied == [expected])
        try computer.perform(.finishPurges(limit: 9), &store)
        #expect(computer.machine.state.finals == Set(photos))
        #expect(computer.machine.files.isEmpty)
        // Neither a limit of 0 nor a step without a purge makes a transaction.
        try computer.perform(.finishPurges(limit: 0), &store)
        try computer.perform(.finishPurges(limit: 9), &store)
        #expect(computer.machine.unexported.count == 2)
    }

    // MARK: - Condemning

    @Test func severalBlobsAreCondemnedAtOnce() throws {
        var store = SimulatedStore()
        var computer = try Self.computer(&store, photos: 5)
        _ = try Self.purgeAll(&computer, &store)
        try computer.perform(.finishPurges(limit: 9), &store)
        try computer.publish(&store)
        let blobs = computer.machine.state.blobs.keys.sorted()
        try computer.perform(.condemn(limit: 0), &store)
        #expect(computer.machine.unexported.isEmpty)
        for _ in 0..<3 { try computer.perform(.condemn(limit: 3), &store) }
        let first: [CloudOperation] = blobs.prefix(3).map { .condemn($0) }
        let rest: [CloudOperation] = blobs.dropFirst(3).map { .condemn($0) }
        #expect(computer.machine.unexported.map(\.operations) == [first, rest])
        let usable = computer.machine.state.blobs.filter(\.value.isUsable)
        #expect(usable.isEmpty)
    }

    /// Of several usable blobs of a content, one stays, however many are condemned in one step.
    @Test(arguments: [1, 2, 5, 100]) func aReferencedContentKeepsABlob(limit: Int) throws {
        var store = SimulatedStore()
        var computer = try Self.computer(&store, photos: 3)
        var smallest: [BlobName] = []
        for number in 0..<3 {
            for device in [UInt64(0), 8, 9] {
                let blob = BlobName(device: CloudID(device, 0), id: CloudID(UInt64(number), 5))
                if device == 0 { smallest.append(blob) }
                let content = Self.content(number)
                computer.step(.commit([.stored(content, blob: blob, key: [1])], adding: []))
            }
        }
        let others = computer.machine.state.blobs.keys.filter { !smallest.contains($0) }.sorted()
        #expect(others.count == 9)
        let before = computer.machine.unexported.count
        for count in 1...10 {
            try computer.perform(.condemn(limit: limit), &store)
            let condemned = computer.machine.state.blobs.filter(\.value.isCondemned).keys.sorted()
            #expect(condemned == Array(others.prefix(count * limit)))
            for number in 0..<3 {
                let usable = computer.machine.state.usableBlob(of: Self.content(number))
                #expect(usable == smallest[number])
            }
        }
        #expect(computer.machine.unexported.count - before == (9 + limit - 1) / limit)
    }

    // MARK: - Collecting

    @Test func severalBlobsAreDeletedAtOnce() throws {
        var store = SimulatedStore()
        var computer = try Self.computer(&store, photos: 6)
        _ = try Self.purgeAll(&computer, &store)
        try computer.perform(.finishPurges(limit: 9), &store)
        try computer.perform(.condemn(limit: 9), &store)
        let blobs = computer.machine.state.blobs.keys.sorted()
        // The condemnation is not published yet.
        computer.step(.perform(.collect(limit: 9)))
        #expect(Self.deletions(of: computer) == [])
        try computer.publish(&store)
        computer.step(.perform(.collect(limit: 0)))
        #expect(Self.deletions(of: computer) == [])
        computer.step(.perform(.collect(limit: 2)))
        #expect(Self.deletions(of: computer) == Array(blobs.prefix(2)))
        let number = try #require(computer.requests.first?.number)
        #expect(computer.machine.deletesBlob(number))
        // What is under way is not requested again.
        computer.step(.perform(.collect(limit: 3)))
        #expect(Self.deletions(of: computer) == Array(blobs.prefix(5)))
        // After a failure and after a crash, it is.
        computer.step(.answer(request: number, .failed))
        #expect(!computer.machine.deletesBlob(number))
        computer.step(.perform(.collect(limit: 1)))
        #expect(Self.deletions(of: computer).suffix(1) == blobs.prefix(1))
        computer.step(.start)
        try computer.perform(.collect(limit: 9), &store)
        let left = store.blobs.filter { !$0.value.isEmpty }
        #expect(left.isEmpty)
        let operations = computer.machine.unexported.flatMap(\.operations)
        let expected: [CloudOperation] = blobs.map { .gone($0) }
        #expect(operations == expected)
    }

    // MARK: - Replenishing

    @Test func severalFilesAreUploadedAtOnce() throws {
        var store = SimulatedStore()
        var computer = try Self.computer(&store, photos: 6)
        let blobs = computer.machine.state.blobs.keys.sorted()
        computer.step(.commit(blobs.map { .condemn($0) }, adding: []))
        computer.step(.perform(.replenish(limit: 0)))
        #expect(computer.requests.isEmpty)
        computer.step(.perform(.replenish(limit: 4)))
        #expect(computer.uploads == [0, 1, 2, 3].map(Self.content))
        #expect(computer.machine.openUploads.count == 4)
        // What is under way counts, and is not sent twice.
        computer.step(.perform(.replenish(limit: 4)))
        #expect(computer.uploads == [0, 1, 2, 3].map(Self.content))
        try computer.answer(0, &store)
        computer.step(.perform(.replenish(limit: 4)))
        #expect(computer.uploads == [1, 2, 3, 4].map(Self.content))
        // A file that is not here is first downloaded from its condemned blob.
        computer.step(.absent([Self.content(5)]))
        computer.step(.perform(.replenish(limit: 9)))
        #expect(computer.uploads == [1, 2, 3, 4].map(Self.content))
        let last = try #require(computer.requests.last?.request)
        guard case .get(.blob(let blob)) = last else {
            Issue.record("\(last) is no download.")
            return
        }
        #expect(computer.machine.state.blobs[blob]?.content == Self.content(5))
        for _ in 0..<3 { try computer.perform(.replenish(limit: 9), &store) }
        try computer.publish(&store)
        for number in 0..<6 {
            let usable = computer.machine.state.usableBlob(of: Self.content(number))
            let name = try #require(usable)
            #expect(!blobs.contains(name))
            #expect(store.blobs[Self.content(number)]?.count == 2)
        }
    }

    // MARK: - Simulation

    /// `PHOTOS_CLOUD_SECONDS` sets the time; the rules of the protocol hold with any limits.
    @Test func newSeedsWithLimitsViolateNothing() {
        let first = TestSeed()
        let seconds = ProcessInfo.processInfo.environment["PHOTOS_CLOUD_SECONDS"].flatMap(
            Double.init
        )
        let end = ContinuousClock.now + .seconds(min(seconds ?? 3, 60))
        var seed = first.value
        var runs = 0
        repeat {
            // Half of the runs of each profile.
            let uploads = (seed / 8) % 2 == 0 ? 1 : 4
            let outcome = Simulation.run(seed: seed, uploadsAtOnce: uploads, variesLimits: true)
            runs += 1
            #expect(outcome.violation == nil, "\(outcome.profile), PHOTOS_TEST_SEED=\(seed)")
            if outcome.violation != nil { break }
            seed &+= 1
        } while ContinuousClock.now < end
        #expect(runs > 1, first.comment)
    }
}
