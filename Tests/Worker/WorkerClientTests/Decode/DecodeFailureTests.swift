import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Damaged and hostile files yield an error with a reason, and canceled requests end at once (pains
/// 3 and 10).
@Suite(.timeLimit(.minutes(5)), .needsSharedData)
struct DecodeFailureTests {
    private func decode(
        _ file: URL,
        _ shape: PixelShape,
        _ pool: WorkerPool,
        cancellation: WorkCancellation? = nil
    ) throws -> DecodeAnswer {
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let request = DecodeRequest(shape: shape, layout: .rgba)
        return try pool.decode(request, descriptor: descriptor, cancellation: cancellation)
    }

    @Test("Every malformed file gives pixels or a reason, and never takes the pool along")
    func malformedFilesAreAnswered() throws {
        let pool = WorkerPool(
            configuration: .init(
                maximumWorkers: 1,
                limits: WorkerLimits(
                    maximumPixels: 500_000_000,
                    maximumMemoryInBytes: 4 << 30,
                    maximumProcessorSeconds: 20,
                    allowsUnconfined: false
                ),
                timeLimit: .seconds(40)
            )
        )
        let names = try FileManager.default.contentsOfDirectory(
            atPath: SharedData.file("malformed").path
        )
        var reasons: [String: String] = [:]
        for name in names.sorted() {
            let shape = PixelShape(size: PixelSize(width: 300, height: 300))
            switch try decode(SharedData.file("malformed/\(name)"), shape, pool) {
            case .pixels(_, let pixels):
                let size = pixels.description.size
                #expect(size.width <= 300 && size.height <= 300, "\(name)")
            case .unsupported(let reason), .failed(let reason):
                #expect(reason.count > 10 && reason.hasSuffix("."), "\(name): \(reason)")
                reasons[name] = reason
            case .cancelled: Issue.record("\(name) was cancelled")
            }
        }
        for name in Self.hopeless {
            #expect(reasons[name] != nil, "\(name) gave pixels")
        }
        #expect(reasons["bomb-65536x65536.png"]?.contains("megapixels") == true)
    }

    @Test("A RAW file's preview in layers that claims more bytes than pixels is not read")
    func previewLongerThanItsPixels() throws {
        var metadata = SampleMetadata()
        metadata.model = "Sample"
        var bytes = [UInt8](
            SampleFile.dng(
                SamplePhoto(size: PixelSize(width: 640, height: 480), metadata: metadata)
            )
        )
        // Of the first directory: no compression becomes layers, and the bytes of its strip grow.
        let first = Int(bytes[4]) | Int(bytes[5]) << 8
        let count = Int(bytes[first]) | Int(bytes[first + 1]) << 8
        var changed = 0
        for entry in 0..<count {
            let place = first + 2 + entry * 12
            switch Int(bytes[place]) | Int(bytes[place + 1]) << 8 {
            case 0x0103:
                bytes[place + 8] = 0
                changed += 1
            case 0x0117:
                bytes.replaceSubrange(place + 8..<place + 12, with: [0, 0, 8, 0])
                changed += 1
            default: break
            }
        }
        try #require(changed == 2)
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(bytes), to: "layers.dng")
        let pool = WorkerPool(configuration: .init(maximumWorkers: 1))
        let facts = try #require(try pool.probe(path: file.path).facts)
        #expect(facts.displaySize == PixelSize(width: 640, height: 480))
        let shape = PixelShape(size: PixelSize(width: 100, height: 100))
        guard case .pixels = try decode(file, shape, pool) else {
            Issue.record("The mosaic was not developed.")
            return
        }
    }

    /// Files without a picture, or with none that may be decoded.
    private static let hopeless = [
        "bomb-65536x65536.png", "truncated_image.png", "jpeg-first-200-bytes.jpg",
        "zero-byte.jpg", "zero-byte.heic", "zero-byte.mov", "text-renamed.jpg",
        "html-error-page.jpg", "png-declares-60000x60000.png", "jpeg-declares-65500x65500.jpg",
        "heic-first-half.heic", "mov-no-moov.mov", "badimage.jpeg", "corrupted.heic",
    ]

    @Test func whatIsCancelledEndsSoon() throws {
        let pool = WorkerPool(configuration: .init(maximumWorkers: 1))
        let cancellation = WorkCancellation()
        let ended = Mutex<(answer: DecodeAnswer, time: SuspendingClock.Instant)?>(nil)
        let file = SharedData.file("large/giant-20000x14000.jpg")
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { done.signal() }
            guard
                let answer = try? self.decode(
                    file,
                    PixelShape(),
                    pool,
                    cancellation: cancellation
                )
            else { return }
            ended.withLock { $0 = (answer, .now) }
        }
        // The worker decodes as soon as it is started, which takes seconds.
        while pool.startCount == 0 { sched_yield() }
        let cancelled = SuspendingClock.now
        cancellation.cancel()
        #expect(done.wait(timeout: .now() + 20) == .success)
        let result = try #require(ended.withLock { $0 })
        guard case .cancelled = result.answer else {
            Issue.record("\(result.answer)")
            return
        }
        #expect(result.time - cancelled < .seconds(2))
        // The pool works as before.
        let next = try decode(
            SharedData.file("formats/jpeg-icc.jpg"),
            PixelShape(size: PixelSize(width: 100, height: 100)),
            pool
        )
        guard case .pixels = next else {
            Issue.record("\(next)")
            return
        }
    }
}
