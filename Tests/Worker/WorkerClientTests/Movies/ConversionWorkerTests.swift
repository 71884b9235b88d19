import Foundation
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Conversions that follow each other share a worker, which no other conversion gets.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(2)))
struct ConversionWorkerTests {
    private let world: MovieWorld
    private let pool: WorkerPool

    private static let copying = MovieConversion(container: .mov)

    init() throws {
        world = try MovieWorld()
        pool = WorkerPool(configuration: .init())
    }

    @Test func conversionsInARowShareAWorker() throws {
        let (short, long) = (
            try world.make("short.mov", seconds: 0.5), try world.make("long.mov", seconds: 3)
        )
        var results: [Data] = []
        for (name, file) in [("a", short), ("b", long), ("c", short)] {
            let (result, report) = try world.convert(
                file,
                to: name + ".mov",
                Self.copying,
                pool: pool
            )
            results.append(try Data(contentsOf: result))
            #expect(Int64(results.last?.count ?? 0) == report.bytes)
        }
        #expect(pool.startCount == 1)
        // An earlier conversion leaves no trace in a later one.
        #expect(results[0] == results[2])
    }

    @Test func aWorkerDoesNotStayAfterAFailure() throws {
        let good = try world.make("good.mov", seconds: 0.5)
        let bad = try world.folder.write(
            try Data(contentsOf: good).prefix(2_000),
            to: "bad.mov"
        )
        #expect(throws: WorkerError.self) {
            try world.convert(bad, to: "x.mov", Self.copying, pool: pool)
        }
        _ = try world.convert(good, to: "a.mov", Self.copying, pool: pool)
        #expect(pool.startCount == 2)
    }

    @Test func aConversionWithAnotherLimitHasAnotherWorker() throws {
        let file = try world.make("movie.mov", seconds: 0.5)
        var limited = Self.copying
        limited.maximumBytes = 10_000_000
        for conversion in [Self.copying, limited, limited] {
            _ = try world.convert(
                file,
                to: "\(UUID().uuidString).mov",
                conversion,
                pool: pool
            )
        }
        #expect(pool.startCount == 2)
    }

    @Test func conversionsAtTheSameTimeDoNotMix() throws {
        let file = try world.make("movie.mov", seconds: 0.5)
        let results = Mutex<[Data]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for round in 0..<3 {
                let name = "\(index)-\(round).mov"
                guard
                    let (result, _) = try? world.convert(file, to: name, Self.copying, pool: pool),
                    let data = try? Data(contentsOf: result)
                else { continue }
                results.withLock { $0.append(data) }
            }
        }
        let all = results.withLock { $0 }
        #expect(all.count == 12)
        #expect(Set(all).count == 1)
    }
}
