import CloudKeys
import CloudSync
import EmbeddedLibrary
import Foundation
import LibraryService
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing

@testable import CloudHost

/// Downloads of a large file that continue where an earlier one was interrupted.
///
/// Each session has a host of its own, as after a restart.
@Suite(.timeLimit(.minutes(3))) struct ResumedDownloadTests {
    /// The parts of blobs that were requested, and the faults of the next requests for blobs.
    private final class Requests: Sendable {
        struct State {
            var faults: [StoreFault?] = []
            var ranges: [Range<Int64>?] = []
        }

        private let monitor = Monitor(State())

        func next(_ request: FakeRequest) -> StoreFault? {
            guard request.verb == .get, request.key?.text.hasPrefix("blob/") == true else {
                return nil
            }
            return monitor.update { state in
                state.ranges.append(request.range)
                return state.faults.isEmpty ? nil : state.faults.removeFirst()
            }
        }

        func set(_ faults: [StoreFault?]) { monitor.update { $0.faults = faults } }

        /// Returns the requests since the last call.
        func take() -> [Range<Int64>?] {
            monitor.update { state in
                defer { state.ranges = [] }
                return state.ranges
            }
        }
    }

    private static let frame = BlobLayout.frameSize

    private let requests = Requests()
    private let first: HostWorld
    private let second: HostWorld
    /// The photo, whose file the second library lacks.
    private let uuid: String
    private let bytes: Data
    private let layout: BlobLayout

    init() async throws {
        let store = MemoryStore { [requests] in requests.next($0) }
        first = try HostWorld(store)
        second = try HostWorld(store)
        try await second.join(with: first.create())
        bytes = try Self.largePhoto()
        layout = try #require(BlobLayout(size: Int64(bytes.count)))
        uuid = try first.world.add(bytes, named: "IMG_1.JPG")
        try await first.sync()
        // The second library learns of the photo, and gets nothing of its file.
        requests.set([.lostRequest])
        try await expectFailure([nil])
        #expect(parts.isEmpty)
    }

    /// Returns a photo with 12 MiB of random bytes after its end.
    private static func largePhoto() throws -> Data {
        let size = PixelSize(width: 320, height: 240)
        let photo = try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: 1), size: size))
        var generator = SeededGenerator(seed: 12)
        var words = [UInt64](repeating: 0, count: 12 * frame / 8)
        for index in words.indices { words[index] = generator.next() }
        return photo + words.withUnsafeBytes { Data($0) }
    }

    // MARK: - Steps

    private var partFolder: URL {
        URL(fileURLWithPath: second.world.store.bundle.staging + "/cloud")
    }

    private var parts: [URL] {
        let urls = try? FileManager.default.contentsOfDirectory(
            at: partFolder,
            includingPropertiesForKeys: nil
        )
        return urls ?? []
    }

    private func content() throws -> ContentID {
        try #require(try second.engine.missingContents(ofAsset: uuid)?.first)
    }

    /// The position of a frame in the object.
    private func place(of frame: Int64) -> Int64 { layout.sealedRange(of: frame).lowerBound }

    /// The requests of a download that continues after some frames.
    private func rest(after frames: Int64) -> [Range<Int64>?] {
        [0..<Int64(BlobLayout.headerSize), place(of: frames)..<layout.sealedSize]
    }

    /// Expects that a session fails and makes certain requests for blobs.
    private func expectFailure(_ ranges: [Range<Int64>?]) async throws {
        await #expect(throws: LibraryError.self) { try await second.sync() }
        #expect(requests.take() == ranges)
    }

    /// Expects a single part, which has the first frames of the file.
    private func expectPart(with frames: Int) throws -> URL {
        #expect(parts.count == 1)
        let part = try #require(parts.first)
        let isBeginning = try Data(contentsOf: part) == bytes.prefix(frames * Self.frame)
        #expect(isBeginning)
        return part
    }

    /// Leaves a part with the first frames of the file, as a session whose connection breaks.
    private func interrupt(after frames: Int) async throws -> URL {
        requests.set([.cut(after: place(of: Int64(frames)) + 300)])
        try await expectFailure([nil])
        return try expectPart(with: frames)
    }

    /// Expects that the next session downloads the file with certain requests.
    private func expectArrival(_ ranges: [Range<Int64>?]) async throws {
        let report = try await second.sync()
        #expect(report.downloaded == 1 && report.pending.downloads == 0)
        #expect(requests.take() == ranges)
        try expectFile()
    }

    /// Expects that the second library has the file, and nothing of its download.
    private func expectFile() throws {
        let isWhole = try Data(contentsOf: second.path(ofFileOf: uuid)) == bytes
        #expect(isWhole)
        #expect(try second.facts() == first.facts())
        #expect(second.stagedFiles.isEmpty)
        #expect(parts.isEmpty)
    }

    // MARK: - Interruptions

    @Test func aSessionContinuesAfterTheConnectionBroke() async throws {
        let part = try await interrupt(after: 5)
        let attributes = try FileManager.default.attributesOfItem(atPath: part.path)
        let mode = attributes[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await expectArrival(rest(after: 5))
    }

    @Test func eachAttemptContinues() async throws {
        _ = try await interrupt(after: 5)
        let host = try second.host()
        let download = try await host.download(of: content())
        await host.close()
        #expect(download.remainingSize == download.size - Int64(5 * Self.frame))
        requests.set([nil, .cut(after: place(of: 8) - place(of: 5) + 300)])
        try await expectFailure(rest(after: 5))
        _ = try expectPart(with: 8)
        // Neither the header nor a lost request changes what is kept.
        requests.set([.cut(after: 2)])
        try await expectFailure([rest(after: 8)[0]])
        _ = try expectPart(with: 8)
        try await expectArrival(rest(after: 8))
    }

    /// The progress of the second download begins with the bytes of the first one.
    @Test func aCanceledDownloadContinues() async throws {
        let service = second.service()
        let downloads = service.connection(to: second.path).downloads
        let content = try content()
        let gate = StoreGate()
        requests.set([.stalled(after: place(of: 5), gate)])
        await #expect {
            try await HostWorld.blocking {
                try downloads.download(content) { received, _ in received == 0 }
            }
        } throws: { error in
            (error as? LibraryError)?.code == .cancelled
        }
        gate.open()
        // Returns when the canceled download has ended.
        try await HostWorld.blocking { downloads.stop() }
        downloads.resume()
        #expect(requests.take() == [nil])
        _ = try expectPart(with: 5)
        let reports = Monitor<[Int64]>([])
        try await HostWorld.blocking {
            try downloads.download(content) { received, _ in
                reports.update { $0.append(received) }
                return true
            }
        }
        let received = reports.withLock(\.self)
        #expect(received.last == layout.size)
        #expect(received.allSatisfy { $0 == 0 || $0 >= Int64(5 * Self.frame) })
        #expect(requests.take() == rest(after: 5))
        try expectFile()
        service.stop()
    }

    /// The process can end after the last frame was written and before the file is placed.
    @Test func aCompletePartIsPlaced() async throws {
        let part = try await interrupt(after: 5)
        try bytes.write(to: part)
        try await expectArrival([])
    }

    /// Another program can write to the library for longer than the placement waits.
    @Test func aFileThatCannotBePlacedIsNotDownloadedAgain() async throws {
        let host = try second.host()
        let download = try await host.download(of: content())
        let attempts = Monitor(0)
        let placement = DownloadPlacement { _, _ throws(LibraryError) in
            attempts.update { $0 += 1 }
            throw LibraryError(.busy, "Another program is writing.")
        }
        let transfer = BlobTransfer(
            engine: second.engine,
            store: download.transfer.store,
            uploads: download.transfer.uploads,
            downloads: DownloadFolder(placement: placement)
        )
        await #expect {
            try await transfer.download(download.blob, download.record, of: download.content)
        } throws: { error in
            (error as? LibraryError)?.code == .busy
        }
        transfer.downloads.end()
        await host.close()
        #expect(attempts.withLock(\.self) > 1)
        #expect(requests.take() == [nil])
        _ = try expectPart(with: Int(layout.frameCount))
        #expect(second.stagedFiles.count == 1)
        try await expectArrival([])
    }

    // MARK: - Wrong bytes

    /// A crash can lose bytes that were written, and keep the size.
    @Test(arguments: [0, 3 << 20, (5 << 20) - 1])
    func alteredPartsAreFound(position: Int) async throws {
        let part = try await interrupt(after: 5)
        let file = try FileHandle(forUpdating: part)
        try file.seek(toOffset: UInt64(position))
        try file.write(contentsOf: [bytes[position] ^ 1])
        try file.close()
        try await expectArrival(rest(after: 5) + [nil])
    }

    /// A part that is no beginning of the file is not used.
    @Test(arguments: [BlobLayout.frameSize - 1, 20 << 20])
    func partsOfOtherSizesAreNotUsed(size: Int) async throws {
        let part = try await interrupt(after: 5)
        try Data(count: size).write(to: part)
        try await expectArrival([nil])
    }

    /// A store that does not deliver the right rest may still deliver the whole object.
    @Test(arguments: [[.altered(at: 0)], [nil, .altered(at: 8 << 20)]] as [[StoreFault?]])
    func aRefusedRestStartsFromTheBeginning(faults: [StoreFault?]) async throws {
        _ = try await interrupt(after: 5)
        requests.set(faults)
        try await expectArrival(Array(rest(after: 5).prefix(faults.count)) + [nil])
    }

    /// An answer that is none says nothing of the kept bytes.
    @Test func whatArrivedSurvivesAForeignAnswer() async throws {
        _ = try await interrupt(after: 5)
        requests.set([.foreignAnswer, .lostRequest])
        try await expectFailure(Array(rest(after: 5).prefix(1)) + [nil])
        _ = try expectPart(with: 5)
        #expect(second.stagedFiles.count == 1)
        try await expectArrival(rest(after: 5))
    }

    /// Some proxies deliver whole objects only.
    @Test func theWholeObjectIsRequestedIfItsRestIsNotDelivered() async throws {
        _ = try await interrupt(after: 5)
        requests.set([nil, .foreignAnswer])
        try await expectArrival(rest(after: 5) + [nil])
    }

    @Test func aDamagedObjectLeavesNoPart() async throws {
        _ = try await interrupt(after: 5)
        requests.set([nil, .altered(at: 8 << 20), .altered(at: 8 << 20)])
        let report = try await second.sync()
        #expect(report.downloaded == 0 && report.pending.downloads == 1)
        #expect(requests.take() == rest(after: 5) + [nil])
        #expect(parts.isEmpty && second.stagedFiles.isEmpty)
        try await expectArrival([nil])
    }

    // MARK: - Simultaneous downloads

    /// A session that finds the part in use downloads the file without it.
    @Test func onlyOneDownloadUsesThePart() async throws {
        let service = second.service()
        let downloads = service.connection(to: second.path).downloads
        let content = try content()
        let gate = StoreGate()
        requests.set([.stalled(after: place(of: 5), gate)])
        let received = Monitor<Int64>(0)
        async let waited: Void = HostWorld.blocking {
            try downloads.download(content) { count, _ in
                received.update { $0 = count }
                return true
            }
        }
        try await HostWorld.blocking { _ = received.wait { $0 > 0 ? true : nil } }
        let report = try await second.sync()
        #expect(report.downloaded == 1)
        #expect(requests.take() == [nil, nil])
        // The end of the session leaves a part in use alone.
        _ = try expectPart(with: 5)
        gate.open()
        try await waited
        try expectFile()
        service.stop()
    }

    // MARK: - Removal

    @Test func smallFilesLeaveNoPart() async throws {
        try await expectArrival([nil])
        _ = try first.world.addPhoto(2)
        try await first.sync()
        requests.set([.cut(after: 300)])
        try await expectFailure([nil])
        #expect(parts.isEmpty && second.stagedFiles.isEmpty)
    }

    @Test func aPartWhoseFileHasArrivedIsRemoved() async throws {
        _ = try await interrupt(after: 5)
        let staging = try second.engine.cloudStaging()
        let file = try staging.createFile()
        try FileHandle(fileDescriptor: file.descriptor.number, closeOnDealloc: false)
            .write(contentsOf: bytes)
        #expect(try second.engine.placeContent(content(), from: file))
        staging.end()
        #expect(parts.count == 1)
        let report = try await second.sync()
        #expect(report.downloaded == 0 && requests.take().isEmpty)
        try expectFile()
    }

    @Test func leavingRemovesTheParts() async throws {
        _ = try await interrupt(after: 5)
        let service = second.service()
        _ = try await second.ask(service, .leave(abandoning: true))
        #expect(!FileManager.default.fileExists(atPath: partFolder.path))
        service.stop()
    }
}
