import Dispatch
import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResourceWriterTests {
    private let folder: TemporaryFolder
    private let library = FakeLibrary(assets: 1)
    private let manager = PHAssetResourceManager.default()
    /// Three megabytes, the same for all tests.
    private static let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private var data: Data { Self.data }
    private let resource: PHAssetResource

    init() throws {
        folder = try TemporaryFolder()
        try library.addResource(Self.data, in: folder)
        resource = try #require(library.resources().first)
    }

    private func write(
        to file: URL,
        options: PHAssetResourceRequestOptions? = nil
    ) async throws {
        try await manager.writeData(for: resource, toFile: file, options: options)
    }

    /// Returns the error of a write that must fail, and checks that the folder then contains only
    /// `names`.
    private func failure(of file: URL, leaving names: [String] = []) async throws -> PHPhotosError {
        let error = await #expect(throws: PHPhotosError.self) { try await write(to: file) }
        if file.isFileURL {
            let parent = file.deletingLastPathComponent().path
            let found = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            #expect(found.sorted() == names)
        }
        let thrown = try #require(error)
        #expect(thrown.userInfo[PHLocalIdentifiersErrorKey] != nil || !file.isFileURL)
        return thrown
    }

    @Test func writesByteForByteAndLeavesNothingElse() async throws {
        let target = try folder.folder("out").appendingPathComponent("IMG_1.JPG")
        try await write(to: target)
        #expect(try Data(contentsOf: target) == data)
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: target.deletingLastPathComponent().path
            )
                == ["IMG_1.JPG"]
        )
    }

    @Test func progressEndsAtOne() async throws {
        let progress = Values()
        let options = PHAssetResourceRequestOptions()
        options.progressHandler = { value in progress.all.withLock { $0.append(value) } }
        try await write(to: folder.file("a.jpg"), options: options)
        let values = progress.all.withLock { $0 }
        #expect(values.last == 1)
        #expect(values == values.sorted())
    }

    private final class Values: Sendable {
        let all = Mutex<[Double]>([])
    }

    @Test func existingFileIsLeftAsItWas() async throws {
        let file = try folder.write(Data("mine".utf8), to: "out/a.jpg")
        let error = try await failure(of: file, leaving: ["a.jpg"])
        #expect(error.localizedDescription.contains("already exists"))
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test func danglingLinkIsLeftAsItWas() async throws {
        let out = try folder.folder("out")
        let link = out.appendingPathComponent("a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: folder.file("nowhere").path
        )
        _ = try await failure(of: link, leaving: ["a.jpg"])
        #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere").path))
    }

    @Test func missingFolderIsNamed() async throws {
        let error = try await failure(of: folder.file("missing/deep/a.jpg"))
        #expect(error.localizedDescription.contains(folder.file("missing/deep").path))
        #expect(error.recoverySuggestion?.contains("Create the folder") == true)
    }

    @Test func webAddressIsRefused() async throws {
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        #expect(try await failure(of: url).localizedDescription.contains("not a file"))
    }

    @Test func folderThatIsAFileIsAnError() async throws {
        try folder.write(Data(), to: "file")
        let error = try await failure(of: folder.file("file/a.jpg"))
        #expect(error.failureReason?.isEmpty == false)
    }

    @Test func longNamesWork() async throws {
        let name = String(repeating: "n", count: 251) + ".jpg"
        try await write(to: folder.file(name))
        #expect(FileManager.default.fileExists(atPath: folder.file(name).path))
        let error = try await failure(
            of: try folder.folder("out").appendingPathComponent("n" + name)
        )
        #expect(error.code == .internalError)
    }

    @Test func onlyOneOfManyWritersWins() async throws {
        let target = try folder.folder("out").appendingPathComponent("a.jpg")
        let wins = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (try? await write(to: target)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        #expect(try Data(contentsOf: target) == data)
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: target.deletingLastPathComponent().path
            )
                == ["a.jpg"]
        )
    }

    @Test func cancelledTaskLeavesNothing() async throws {
        let target = try folder.folder("out").appendingPathComponent("a.jpg")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await write(to: target)
        }
        let error = await #expect(throws: PHPhotosError.self) { try await task.value }
        #expect(error?.code == .userCancelled)
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: target.deletingLastPathComponent().path
            )
            .isEmpty
        )
    }

    @Test func completionHandlerIsCalledOnce() async throws {
        for expected in [true, false] {
            let error = await withCheckedContinuation { continuation in
                manager.writeData(
                    for: resource,
                    toFile: folder.file("b.jpg"),
                    options: nil
                ) { error in continuation.resume(returning: error as? PHPhotosError) }
            }
            #expect((error == nil) == expected)
        }
    }

    /// As many handlers as there are writers, and more, each wait for a write of their own.
    @Test func completionHandlersMayWaitForOtherWrites() async {
        let areAllDone = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<6 {
                group.addTask { await writeTwice(number) }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(areAllDone)
    }

    /// Writes a file, and another one inside of the completion handler of the first write.
    private func writeTwice(_ number: Int) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            manager.writeData(
                for: resource,
                toFile: folder.file("first-\(number).jpg"),
                options: nil
            ) { _ in
                let done = DispatchSemaphore(value: 0)
                manager.writeData(
                    for: resource,
                    toFile: folder.file("second-\(number).jpg"),
                    options: nil
                ) { _ in done.signal() }
                let isDone = done.wait(timeout: .now() + 20) == .success
                continuation.resume(returning: isDone)
            }
        }
    }
}
