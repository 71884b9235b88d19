import CLinuxShim
import Foundation
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Damaged movies yield one clear error, canceled conversions end, and nothing hangs (pains 3 and
/// 10).
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(4)))
struct MovieFailureTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    private static let encoding = MovieConversion(
        container: .mp4,
        video: .encode(codec: .h264, maximumWidth: 320, maximumHeight: 320),
        audio: .encodeAAC()
    )

    @Test(.needsSharedData) func everyMalformedFileIsAnswered() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: SharedData.file("malformed").path
        )
        for name in names.sorted() {
            let file = SharedData.file("malformed/\(name)")
            do {
                _ = try world.facts(of: file)
            } catch let error as WorkerError {
                #expect(error.kind == .file || error.kind == .unsupported, "\(name)")
                #expect(error.message.hasSuffix("."), "\(error.message)")
            }
            // Each file starts a worker, and all non-movies yield the same error.
            guard name.hasPrefix("m") || name.hasSuffix(".mov") else { continue }
            for conversion in [MovieConversion(container: .mov), Self.encoding] {
                guard let error = world.failure(file, conversion) else { continue }
                #expect(error.kind == .file || error.kind == .unsupported, "\(name)")
                #expect(error.message.hasPrefix("\(name): "), "\(error.message)")
                #expect(!error.message.contains("crashed"), "\(error.message)")
            }
        }
        for name in ["mov-no-moov.mov", "zero-byte.mov", "jpeg-renamed.mov"] {
            let file = SharedData.file("malformed/\(name)")
            #expect(throws: WorkerError.self, "\(name)") { try world.facts(of: file) }
            #expect(world.failure(file, MovieConversion(container: .mov)) != nil, "\(name)")
        }
    }

    @Test func aMovieThatIsCutShortIsSaidToBe() throws {
        let front = try world.make("front.mov", seconds: 4, ["-movflags", "faststart"])
        var data = try Data(contentsOf: front)
        data = data.prefix(data.count * 6 / 10)
        let cut = try world.folder.write(data, to: "cut.mov")
        for conversion in [MovieConversion(container: .mov), Self.encoding] {
            let error = try #require(world.failure(cut, conversion))
            #expect(error.kind == .file)
            #expect(error.message.contains("ends early") || error.message.contains("truncated"))
        }
    }

    @Test func damagedBytesNeverTakeMoreThanOneConversion() throws {
        let file = try world.make("whole.mov", seconds: 1)
        let whole = try Data(contentsOf: file)
        let seed = TestSeed()
        var random = seed.generator
        for round in 0..<12 {
            var data = whole
            for _ in 0..<(round % 3 == 0 ? 4 : 60) {
                let at = Int.random(in: 0..<data.count, using: &random)
                data[at] = UInt8.random(in: 0...255, using: &random)
            }
            let damaged = try world.folder.write(data, to: "damaged.mov")
            for conversion in [MovieConversion(container: .mov), Self.encoding] {
                guard let error = world.failure(damaged, conversion) else { continue }
                #expect(error.kind == .file || error.kind == .unsupported, "\(seed) \(error)")
            }
        }
        #expect(world.failure(file, Self.encoding) == nil)
    }

    @Test func aRangeBeyondTheEndIsSaid() throws {
        let file = try world.make("short.mov", seconds: 1)
        var conversion = Self.encoding
        conversion.start = MovieTime(value: 5, timescale: 1)
        #expect(world.failure(file, conversion)?.message.contains("range begins at 5.00") == true)
        conversion.start = nil
        for duration in [.zero, MovieTime(value: -1, timescale: 1)] {
            conversion.duration = duration
            #expect(world.failure(file, conversion)?.message.contains("range is empty") == true)
        }
    }

    @Test func whatIsCancelledEndsWithinASecond() throws {
        let file = try world.make("long.mov", seconds: 30, size: "1280x720")
        let cancellation = WorkCancellation()
        let moment = Mutex<SuspendingClock.Instant?>(nil)
        let conversion = MovieConversion(
            container: .mov,
            video: .encode(codec: .hevc),
            audio: .copy
        )
        do {
            _ = try world.convert(file, to: "never.mov", conversion, cancellation: cancellation) {
                guard $0 > 0, moment.withLock({ $0 == nil }) else { return }
                moment.withLock { $0 = .now }
                cancellation.cancel()
            }
            Issue.record("The conversion ended although it was cancelled.")
        } catch let error as WorkerError {
            #expect(error.kind == .cancelled)
            let asked = try #require(moment.withLock { $0 })
            #expect(SuspendingClock.now - asked < .seconds(1))
        }
        // A conversion that was canceled before its start does not start.
        #expect(throws: WorkerError.self) {
            try world.convert(file, to: "never.mov", conversion, cancellation: cancellation)
        }
    }

    /// Progress extends a conversion's time limit indefinitely; other messages do not.
    @Test(.needsProgram("perl")) func whatComesNoFurtherIsEnded() throws {
        let pool = try FakeWorker(in: world.folder, behaviour: .stuck).pool(timeLimit: .seconds(1))
        let file = try world.folder.write(Data("a movie".utf8), to: "movie.mov")
        let start = ContinuousClock.now
        let error = try #require(world.failure(file, Self.encoding, pool: pool))
        #expect(error.message.contains("Converting it took longer than 1 seconds"))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(.needsProgram("perl")) func whatAWorkerClaimsIsChecked() throws {
        let pool = try FakeWorker(in: world.folder, behaviour: .liar).pool()
        let file = try world.folder.write(Data("a movie".utf8), to: "movie.mov")
        let progress = ProgressRecord()
        let error = try #require(
            world.failure(file, Self.encoding, pool: pool, progress: progress.record)
        )
        #expect(error.kind == .output)
        #expect(progress.values == [0.2, 0.5, 0.6])
    }

    @Test func aFileThatCannotBeWrittenIsRefused() throws {
        let file = try world.make("source.mov", seconds: 1)
        let taken = try world.folder.write(Data([1]), to: "taken.mov")
        let input = open(file.path, O_RDONLY)
        defer { close(input) }
        for flags in [O_RDWR, O_RDONLY, O_RDWR | O_APPEND] {
            let output = open(taken.path, flags)
            defer { close(output) }
            if flags != O_RDWR { truncate(taken.path, 0) }
            do {
                _ = try world.pool.convertMovie(
                    from: input,
                    filename: "source.mov",
                    into: output,
                    MovieConversion(container: .mov)
                )
                Issue.record("It was written to.")
            } catch {
                #expect(error.kind == .output)
            }
        }
    }

    @Test func aFullDiskIsSaid() throws {
        let file = try world.make("source.mov", seconds: 2, size: "640x360")
        // Memory that may not grow stands in for a full disk.
        let output = cphotos_memory_file("full", 0)
        try #require(output >= 0)
        defer { close(output) }
        let input = open(file.path, O_RDONLY)
        defer { close(input) }
        #expect(fcntl(output, F_GETFL) & O_ACCMODE == O_RDWR)
        #expect(fcntl(output, 1033, 4) == 0)
        do {
            _ = try world.pool.convertMovie(
                from: input,
                filename: "source.mov",
                into: output,
                MovieConversion(container: .mov)
            )
            Issue.record("It was written to.")
        } catch {
            #expect(error.kind == .output)
            #expect(error.message.contains("cannot be written"))
        }
    }
}
