import CLinuxShim
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// Calls through the loopback behave as over a connection.
@Suite(.timeLimit(.minutes(2))) struct LoopbackLibraryTests {
    private let seed = TestSeed()
    private let base: RecordingLibrary
    private let library: LoopbackLibrary

    init() {
        base = RecordingLibrary(seed: seed.value)
        library = LoopbackLibrary(base)
    }

    @Test func errorsAreCarriedAcross() {
        let error = LibraryError(
            .noSpace,
            "The volume is full.",
            reason: "No space left on device (ENOSPC).",
            recovery: "Free some space.",
            path: "/photos/a.jpg",
            identifiers: ["A/L0/001", "B/L0/001"]
        )
        base.fail(with: error)
        #expect(throws: error) { try library.status() }
        #expect(throws: error) { try library.dropRenditions() }
        #expect(throws: error) { try library.subscribe() }
    }

    @Test func moreThan64FilesAreRejected() throws {
        let memory = try TestDescriptors.memory(1)
        let request = ImportFilesRequest(session: 1, files: [])
        let most = [Descriptor](repeating: memory, count: 64)
        _ = try library.importFiles(request, files: most)
        #expect(base.lastFiles == [UInt8?](repeating: 1, count: 64))
        let error = #expect(throws: LibraryError.self) {
            try library.importFiles(request, files: most + [memory])
        }
        #expect(error?.code == .invalidRequest)
        #expect(base.names.count == 1)
    }

    @Test func missingFileOfAReplyIsAnError() throws {
        let base = RecordingLibrary(seed: seed.value, replyDescriptorCount: 0)
        let library = LoopbackLibrary(base)
        let error = #expect(throws: LibraryError.self) { try library.subscribe() }
        #expect(error?.code == .internalError)
    }

    /// Another session is behind a connection, too.
    @Test func sessionsAreOpenedOnTheOtherSide() throws {
        let request = SessionRequest(restriction: .withoutHidden, author: "me")
        let session = try library.openSession(request)
        #expect(base.lastRequest as? SessionRequest == request)
        #expect(session is LoopbackLibrary)
        let error = LibraryError(.accessDenied, "A program names no author.")
        base.fail(with: error)
        #expect(throws: error) { try library.openSession(request) }
    }

    @Test func closeIsPassedOn() {
        library.close()
        #expect(base.isClosed)
    }

    @Test func pixelsOfThisProcessBecomeSealedMemory() throws {
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let block = try #require(
            PixelBlock(count: bytes.count) { memory in
                memory.copyBytes(from: bytes)
                return true
            }
        )
        let library = LoopbackLibrary(PixelLibrary(pixels: .block(block)))
        let (reply, pixels) = try #require(try library.image(PixelLibrary.request))
        #expect(reply == PixelLibrary.reply)
        guard case .sealed(let memory) = pixels else {
            Issue.record("The pixels crossed as a block.")
            return
        }
        #expect(cphotos_seals(memory.number) == cphotos_all_seals())
        var read = [UInt8](repeating: 0, count: bytes.count + 1)
        #expect(pread(memory.number, &read, read.count, 0) == bytes.count)
        #expect(Array(read.dropLast()) == bytes)
    }

    @Test func sealedPixelsArePassedAsTheyAre() throws {
        let memory = try TestDescriptors.memory(9)
        let library = LoopbackLibrary(PixelLibrary(pixels: .sealed(memory)))
        let (_, pixels) = try #require(try library.image(PixelLibrary.request))
        guard case .sealed(let passed) = pixels else { return }
        #expect(passed.number != memory.number)
        #expect(TestDescriptors.byte(of: passed) == 9)
        #expect(try LoopbackLibrary(PixelLibrary(pixels: nil)).image(PixelLibrary.request) == nil)
    }

    @Test func descriptorsAreClosed() throws {
        let name = "loopback"
        let memory = try TestDescriptors.memory(1, named: name)
        for _ in 0..<50 {
            _ = try library.importFiles(
                ImportFilesRequest(session: 1, files: []),
                files: [Descriptor](repeating: memory, count: 10)
            )
        }
        #expect(TestDescriptors.openCount(named: name) == 1)
        withExtendedLifetime(memory) {}
    }
}

/// A library with one image.
private final class PixelLibrary: CallingLibrary {
    static let request = ImageRequest(assetUUID: "A", shape: PixelShape())
    static let reply = ImageReply(
        pixels: PixelBufferDescription(size: PixelSize(width: 1, height: 1)),
        hasAlpha: false,
        isDegraded: false,
        contentVersion: 1,
        path: ""
    )

    let pixels: ImagePixels?

    init(pixels: ImagePixels?) { self.pixels = pixels }

    func close() {}

    func openSession(_ request: SessionRequest) -> any LibraryService { self }

    func image(_ request: ImageRequest) -> (ImageReply, ImagePixels)? {
        pixels.map { (Self.reply, $0) }
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        throw LibraryError(.internalError, "The library has only an image.")
    }
}
