import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResourceRequestTests {
    private let folder: TemporaryFolder
    private let library = FakeLibrary(assets: 1)
    private let manager = PHAssetResourceManager.default()

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func bytes(_ count: Int) -> Data {
        var state: UInt64 = 42
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        )
    }

    private func resource(_ data: Data, size: Int? = nil) throws -> PHAssetResource {
        try library.addResource(data, size: size, in: folder)
        return try #require(library.resources().last)
    }

    /// All events of a request, in order.
    private final class Log: Sendable {
        struct Entries {
            var chunks: [Int] = []
            var data = Data()
            var progress: [Double] = []
            var completions: [PHPhotosError?] = []
        }
        let entries = Mutex(Entries())
    }

    private func read(_ resource: PHAssetResource) async -> Log.Entries {
        let log = Log()
        let options = PHAssetResourceRequestOptions()
        options.progressHandler = { value in log.entries.withLock { $0.progress.append(value) } }
        await withCheckedContinuation { continuation in
            manager.requestData(
                for: resource,
                options: options,
                dataReceivedHandler: { data in
                    log.entries.withLock { entries in
                        entries.chunks.append(data.count)
                        entries.data += data
                    }
                },
                completionHandler: { error in
                    log.entries.withLock { $0.completions.append(error as? PHPhotosError) }
                    continuation.resume()
                }
            )
        }
        return log.entries.withLock { $0 }
    }

    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5_000_000])
    func bytesComeInChunksAndInOrder(_ count: Int) async throws {
        let data = Self.bytes(count)
        let entries = await read(try resource(data))
        #expect(entries.data == data)
        #expect(entries.chunks.allSatisfy { $0 <= 1 << 20 })
        #expect(entries.chunks.count == (count + (1 << 20) - 1) >> 20)
        #expect(entries.completions.count == 1)
        #expect(entries.completions.first == .some(nil))
        #expect(entries.progress.last == 1)
        #expect(entries.progress == entries.progress.sorted())
    }

    @Test(arguments: [-1, 1]) func wrongSizeIsAnError(_ difference: Int) async throws {
        let entries = await read(try resource(Self.bytes(1000), size: 1000 + difference))
        #expect(entries.completions.first??.code == .invalidResource)
        #expect(entries.completions.first??.failureReason?.contains("1000") == true)
        let target = folder.file("out.jpg")
        await #expect(throws: PHPhotosError.self) {
            try await manager.writeData(
                for: try resource(Self.bytes(1000), size: 1000 + difference),
                toFile: target,
                options: nil
            )
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func missingFileIsAnError() async throws {
        let resource = try resource(Data())
        library.state.withLock { $0.files = [:] }
        #expect(await read(resource).completions.first??.code == .missingResource)
    }

    @Test func bareResourceIsAnError() async {
        let entries = await read(PHAssetResource())
        #expect(entries.completions.count == 1)
        #expect(entries.completions.first??.recoverySuggestion != nil)
    }

    @Test func cancellingStopsAndCompletesOnce() async throws {
        let resource = try resource(Self.bytes(10_000_000))
        let log = Log()
        let number = RequestNumber()
        await withCheckedContinuation { continuation in
            // The first chunk waits until the number is known.
            number.value.withLock { value in
                value = PHAssetResourceManager.default().requestData(
                    for: resource,
                    options: nil,
                    dataReceivedHandler: { data in
                        log.entries.withLock { $0.chunks.append(data.count) }
                        number.cancel()
                    },
                    completionHandler: { error in
                        log.entries.withLock { $0.completions.append(error as? PHPhotosError) }
                        continuation.resume()
                    }
                )
            }
        }
        let entries = log.entries.withLock { $0 }
        #expect(entries.chunks.count == 1)
        #expect(entries.completions.count == 1)
        #expect(entries.completions.first??.code == .userCancelled)
        number.cancel()
        manager.cancelDataRequest(123_456)
    }

    private final class RequestNumber: Sendable {
        let value = Mutex(PHInvalidAssetResourceDataRequestID)

        func cancel() {
            PHAssetResourceManager.default().cancelDataRequest(value.withLock { $0 })
        }
    }

    @Test func requestsHaveNumbersOfTheirOwn() async throws {
        let resource = try resource(Self.bytes(10))
        var ids: Set<Int32> = []
        for _ in 0..<20 {
            await withCheckedContinuation { continuation in
                let id = manager.requestData(
                    for: resource,
                    options: nil,
                    dataReceivedHandler: { _ in },
                    completionHandler: { _ in continuation.resume() }
                )
                ids.insert(id)
            }
        }
        #expect(ids.count == 20)
        #expect(!ids.contains(PHInvalidAssetResourceDataRequestID))
    }
}
