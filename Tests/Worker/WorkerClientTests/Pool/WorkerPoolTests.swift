import CLinuxShim
import Dispatch
import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

@Suite(.timeLimit(.minutes(1)))
struct WorkerPoolTests {
    let folder: TemporaryFolder
    let photo: URL

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.write(SampleFile.jpeg(SamplePhoto()), to: "photo.jpg")
    }

    @Test func oneWorkerServesManyFiles() throws {
        let pool = WorkerPool(configuration: .init())
        for _ in 0..<5 {
            let answer = try pool.probe(path: photo.path)
            #expect(answer.facts?.displaySize == PixelSize(width: 640, height: 480))
        }
        #expect(pool.startCount == 1)
        #expect(pool.sandboxReport?.hasSeccomp == true)
        #expect((pool.sandboxReport?.landlockABI ?? 0) > 0)
    }

    @Test func manyThreadsShareFewWorkers() throws {
        let pool = WorkerPool(configuration: .init(maximumWorkers: 2))
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let answer = try? pool.probe(path: photo.path, renditionSide: 64)
            if case .facts(let facts, let pixels?) = answer, facts.format == .jpeg,
                pixels.description.size == PixelSize(width: 64, height: 48)
            {
                right.withLock { $0 += 1 }
            }
        }
        #expect(right.withLock { $0 } == 64)
        #expect((1...2).contains(pool.startCount))
    }

    /// The kernel counts the descriptors that a user's programs have sent and that were not yet
    /// received.
    ///
    /// While there are many, a process with a low limit of its own cannot send any.
    @Test func descriptorsOfOthersOnTheirWayAreNoMatter() throws {
        var first: Int32 = -1
        var second: Int32 = -1
        try #require(cphotos_socket_pair(&first, &second) == 0)
        defer {
            close(first)
            close(second)
        }
        for _ in 0..<40 { try #require(cphotos_send(first, "x", 1, second) == 1) }
        let pool = WorkerPool(configuration: .init(maximumWorkers: 1))
        let answer = try pool.probe(path: photo.path, renditionSide: 64)
        #expect(answer.pixels?.description.size == PixelSize(width: 64, height: 48))
        #expect(pool.startCount == 1)
    }

    @Test func offsetAndDescriptorStayTheCallers() throws {
        let descriptor = open(photo.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let end = lseek(descriptor, 0, SEEK_END)
        let pool = WorkerPool(configuration: .init())
        let request = ProbeRequest(filename: "photo.jpg", renditionSide: 0)
        #expect(try pool.probe(request, descriptor: descriptor).facts?.format == .jpeg)
        #expect(lseek(descriptor, 0, SEEK_CUR) == end)
    }

    @Test func aFolderIsAnAnswerAndAClosedDescriptorToo() throws {
        let pool = WorkerPool(configuration: .init())
        #expect(try pool.probe(path: folder.path).reason?.contains("not a regular file") == true)
        let request = ProbeRequest(filename: "none", renditionSide: 0)
        #expect(try pool.probe(request, descriptor: -1).reason != nil)
    }

    @Test func aFileOverTheMemoryLimitIsAnAnswer() throws {
        let url = folder.file("large.jpg")
        var data = try Data(contentsOf: photo)
        data.append(Data(count: 64 << 20))
        try data.write(to: url)
        let limits = WorkerLimits(
            maximumPixels: 500_000_000,
            maximumMemoryInBytes: 32 << 20,
            maximumProcessorSeconds: 60,
            allowsUnconfined: false
        )
        let pool = WorkerPool(configuration: .init(limits: limits))
        #expect(try pool.probe(path: url.path).reason != nil)
        #expect(try pool.probe(path: photo.path).facts?.format == .jpeg)
    }

    @Test func aPictureOverThePixelLimitIsAFactWithAWarning() throws {
        let limits = WorkerLimits(
            maximumPixels: 100_000,
            maximumMemoryInBytes: 4 << 30,
            maximumProcessorSeconds: 60,
            allowsUnconfined: false
        )
        let pool = WorkerPool(configuration: .init(limits: limits))
        let facts = try #require(try pool.probe(path: photo.path).facts)
        #expect(facts.displaySize == PixelSize(width: 640, height: 480))
        #expect(!facts.hasReadableHeader)
        #expect(facts.warnings.contains { $0.contains("over the limit") })
    }
}

extension ProbeAnswer {
    var facts: MediaFacts? {
        if case .facts(let facts, _) = self { facts } else { nil }
    }

    var pixels: PixelMemory? {
        if case .facts(_, let pixels) = self { pixels } else { nil }
    }

    /// Indicates whether the file was not read for a reason that does not concern it.
    var isPassing: Bool {
        if case .failed(_, let isPassing) = self { isPassing } else { false }
    }

    /// The error of a file that could not be read.
    var reason: String? {
        switch self {
        case .facts: nil
        case .unsupported(let reason), .failed(let reason, _): reason
        }
    }
}
