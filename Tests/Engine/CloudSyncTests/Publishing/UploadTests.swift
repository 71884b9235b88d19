import CloudSync
import Foundation
import TestSupport
import Testing

@testable import CloudSimulation

/// Uploads of several files at once.
@Suite(.timeLimit(.minutes(2))) struct UploadTests {
    private static func content(_ number: Int) -> ContentID {
        ContentID(CloudID(1, UInt64(number)), CloudID(2, UInt64(number)))
    }

    /// A computer that has published its join and has photos to publish.
    private static func computer(
        _ store: inout SimulatedStore,
        uploadsAtOnce: Int,
        photos: [[ContentID]]
    ) throws -> TestComputer {
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = uploadsAtOnce
        try computer.publish(&store)
        computer.importPhotos(photos)
        return computer
    }

    /// The segments of the store in their order.
    private static func segments(of computer: TestComputer, _ store: SimulatedStore) -> [Segment] {
        store.objects.values.compactMap {
            if case .segment(let sealed) = $0 { sealed.segment } else { nil }
        }.sorted { $0.sequence < $1.sequence }
    }

    /// Checks that each transaction announces the contents to which it refers.
    private static func expectWhole(_ segment: Segment) {
        for transaction in segment.transactions {
            var stored: Set<ContentID> = []
            for case .stored(let content, _, let key) in transaction.operations {
                stored.insert(content)
                #expect(!key.isEmpty)
            }
            #expect(stored == Set(transaction.operations.flatMap(\.contents)))
        }
    }

    /// An edit can be replaced, or a photo purged, before its upload.
    @Test func aFileThatLeftTheLibraryDoesNotStopTheOthers() throws {
        var store = SimulatedStore()
        let photos = (0..<3).map { [Self.content($0)] }
        var computer = try Self.computer(&store, uploadsAtOnce: 1, photos: photos)
        computer.lost = [Self.content(0)]
        let before = Self.segments(of: computer, store).count
        try computer.publish(&store)
        #expect(computer.machine.backlog.isEmpty)
        let created = Self.segments(of: computer, store).dropFirst(before)
            .flatMap(\.transactions).flatMap(\.operations).compactMap {
                if case .create(_, let creation) = $0 {
                    creation.originals.map(\.content)
                } else {
                    nil
                }
            }
        #expect(created == photos)
        #expect(computer.machine.files == [Self.content(1), Self.content(2)])
        // The file is back, such as after an undo.
        computer.lost = []
        computer.step(.export([], adding: [Self.content(0)], isComplete: true))
        try computer.perform(.replenish(limit: 1), &store)
        try computer.publish(&store)
        #expect(computer.machine.state.usableBlob(of: Self.content(0)) != nil)
    }

    @Test func fourUploadsAreUnderWayAtOnce() throws {
        var store = SimulatedStore()
        let photos = (0..<10).map { [Self.content($0)] } + [[Self.content(10), Self.content(11)]]
        var computer = try Self.computer(&store, uploadsAtOnce: 4, photos: photos)
        computer.step(.perform(.publish))
        #expect(computer.uploads == [0, 1, 2, 3].map(Self.content))
        // None of them is sent twice.
        computer.step(.perform(.publish))
        #expect(computer.uploads == [0, 1, 2, 3].map(Self.content))
        try computer.answer(2, &store)
        computer.step(.perform(.publish))
        #expect(computer.uploads == [0, 1, 3, 4].map(Self.content))
        let before = Self.segments(of: computer, store).count
        for _ in 0..<20 where !computer.uploads.isEmpty {
            #expect(computer.uploads.count <= 4)
            #expect(computer.machine.pending == nil)
            try computer.answer(computer.uploads.count - 1, &store)
            computer.step(.perform(.publish))
        }
        #expect(
            Set(store.objects.keys.filter { if case .blob = $0 { true } else { false } }).count
                == 12
        )
        try computer.publish(&store)
        let segments = Self.segments(of: computer, store).dropFirst(before)
        #expect(segments.map(\.transactions.count) == [11])
        for segment in segments { Self.expectWhole(segment) }
        #expect(computer.machine.backlog.isEmpty)
    }

    @Test func withoutALimitOfItsOwnThereIsOneUpload() throws {
        var store = SimulatedStore()
        let photos = (0..<3).map { [Self.content($0)] }
        var computer = try Self.computer(&store, uploadsAtOnce: 1, photos: photos)
        computer.step(.perform(.publish))
        computer.step(.perform(.publish))
        #expect(computer.uploads == [Self.content(0)])
    }

    /// The segment does not wait for transactions that come after its end.
    @Test func aSegmentWaitsForItsOwnUploads() throws {
        var store = SimulatedStore()
        let photos = (0..<5).map { [Self.content($0)] }
        var computer = try Self.computer(&store, uploadsAtOnce: 4, photos: photos)
        computer.machine.segmentLimit = 2
        computer.step(.perform(.publish))
        #expect(computer.uploads == [0, 1].map(Self.content))
        let before = Self.segments(of: computer, store).count
        try computer.publish(&store)
        let segments = Self.segments(of: computer, store).dropFirst(before)
        #expect(segments.map(\.transactions.count) == [2, 2, 1])
        for segment in segments { Self.expectWhole(segment) }
    }

    /// A file that cannot be read holds up what follows it, and nothing before it.
    @Test func aFailedUploadHoldsUpNothingBeforeIt() throws {
        var store = SimulatedStore()
        let photos = (0..<5).map { [Self.content($0)] } + [[Self.content(1), Self.content(5)]]
        var computer = try Self.computer(&store, uploadsAtOnce: 4, photos: photos)
        computer.broken = [Self.content(2)]
        let before = Self.segments(of: computer, store).count
        for _ in 0..<10 { try computer.perform(.publish, &store) }
        #expect(
            Self.segments(of: computer, store).dropFirst(before).map(\.transactions.count) == [2]
        )
        #expect(computer.machine.backlog.transactions == 4)
        #expect(computer.machine.backlog.uploads == 1)
        computer.broken = []
        try computer.publish(&store)
        #expect(computer.machine.backlog.isEmpty)
        #expect(computer.machine.unexported.isEmpty)
    }

    /// Two photos with one file need one upload.
    @Test func oneFileIsUploadedOnce() throws {
        var store = SimulatedStore()
        let photos = [[Self.content(1)], [Self.content(1)], [Self.content(2)]]
        var computer = try Self.computer(&store, uploadsAtOnce: 4, photos: photos)
        computer.step(.perform(.publish))
        #expect(computer.uploads == [1, 2].map(Self.content))
        try computer.publish(&store)
        #expect(store.blobs[Self.content(1)]?.count == 1)
    }

    @Test func aJoinerKnowsWhatToDownload() throws {
        var store = SimulatedStore()
        let photos = [5, 3, 4].map { [Self.content($0)] }
        var computer = try Self.computer(&store, uploadsAtOnce: 4, photos: photos)
        try computer.publish(&store)
        #expect(computer.machine.contentsToDownload.isEmpty)
        var joiner = TestComputer(2, isCreator: false)
        #expect(joiner.machine.backlog.transactions == 1)
        try joiner.perform(.pollAll, &store)
        #expect(joiner.machine.contentsToDownload == [3, 4, 5].map(Self.content))
        try joiner.perform(.download(Self.content(4)), &store)
        #expect(joiner.machine.contentsToDownload == [3, 5].map(Self.content))
        // A condemned blob can be read until it is gone.
        let blob = try #require(computer.machine.state.usableBlob(of: Self.content(3)))
        joiner.step(.commit([.condemn(blob)], adding: []))
        #expect(joiner.machine.contentsToDownload == [3, 5].map(Self.content))
        joiner.step(.commit([.gone(blob)], adding: []))
        #expect(joiner.machine.contentsToDownload == [Self.content(5)])
    }

    /// `PHOTOS_CLOUD_SECONDS` sets the time; the rules of the protocol hold with several uploads.
    @Test func newSeedsWithSeveralUploadsViolateNothing() {
        let first = TestSeed()
        let seconds = ProcessInfo.processInfo.environment["PHOTOS_CLOUD_SECONDS"].flatMap(
            Double.init
        )
        let end = ContinuousClock.now + .seconds(min(seconds ?? 3, 60))
        var seed = first.value
        var runs = 0
        repeat {
            let outcome = Simulation.run(seed: seed, uploadsAtOnce: 4)
            runs += 1
            #expect(outcome.violation == nil, "\(outcome.profile), PHOTOS_TEST_SEED=\(seed)")
            if outcome.violation != nil { break }
            seed &+= 1
        } while ContinuousClock.now < end
        #expect(runs > 1, first.comment)
    }
}
