import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Edits of Live Photos that fail, are canceled, or do not change anything.
@Suite(.timeLimit(.minutes(3))) struct LivePhotoEditFailureTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    /// The arguments of a handler's calls.
    private final class Ends: Sendable {
        private let all = Mutex<[(isSaved: Bool, error: NSError?)]>([])
        var list: [(isSaved: Bool, error: NSError?)] { all.withLock { $0 } }

        func add(_ isSaved: Bool, _ error: (any Error)?) {
            all.withLock { $0.append((isSaved, error.map { $0 as NSError })) }
            Signals.send()
        }

        func one() throws -> (isSaved: Bool, error: NSError?) {
            wait(for: "The handler is called.", seconds: 60) { !list.isEmpty }
            return try #require(list.first)
        }
    }

    /// Returns all files in the folder of an output.
    private func files(_ output: PHContentEditingOutput) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: output.renderedContentURL.deletingLastPathComponent().path
        )
    }

    private func output(_ input: PHContentEditingInput) -> PHContentEditingOutput {
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        return output
    }

    /// The edit fails with the block's own error, at the still and in the middle of the movie.
    @Test(arguments: [0, 4])
    func errorsOfTheBlockAreTold(_ number: Int) async throws {
        let asset = try editing.add(LiveFiles.made(in: world.folder))
        let digest = try editing.originalsDigest()
        let (context, input) = try editing.context(asset)
        let count = Mutex(0)
        context.frameProcessor = { frame, error in
            let now = count.withLock { count in
                defer { count += 1 }
                return count
            }
            guard now == number else { return frame.image }
            error?.pointee = NSError(
                domain: "test.editor",
                code: 17,
                userInfo: [NSLocalizedDescriptionKey: "No."]
            )
            return nil
        }
        let output = output(input)
        let ends = Ends()
        context.saveLivePhoto(to: output) { ends.add($0, $1) }
        let end = try ends.one()
        #expect(!end.isSaved && end.error?.domain == "test.editor" && end.error?.code == 17)
        #expect(count.withLock { $0 } == number + 1)
        #expect(try files(output) == [])
        let error = world.failure {
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
        #expect(error?.code == .missingResource)
        #expect(try !world.now(asset).hasAdjustments)
        #expect(try editing.originalsDigest() == digest && editing.editFiles == [])

        // The same context continues to work.
        context.frameProcessor = nil
        try await context.saveLivePhoto(to: output)
        #expect(try files(output).count == 2)
        #expect(ends.list.count == 1)
    }

    @Test func aBlockThatGivesNothingIsAnError() async throws {
        let (context, input) = try editing.context(
            editing.add(LiveFiles.made(in: world.folder, seconds: 0.3))
        )
        context.frameProcessor = { frame, _ in frame.type == .photo ? frame.image : nil }
        let output = output(input)
        do {
            try await context.saveLivePhoto(to: output)
            Issue.record("It was saved.")
        } catch let error as PHPhotosError {
            #expect(error.localizedDescription.contains("0 ms"))
            #expect(error.recoverySuggestion?.contains("frame.image") == true)
        }
        #expect(try files(output) == [])
    }

    /// Contents that cannot be drawn, and frames of several sizes.
    @Test func picturesThatAreNoneAreErrors() async throws {
        let (context, input) = try editing.context(
            editing.add(LiveFiles.made(in: world.folder, seconds: 0.5))
        )
        let output = output(input)
        let blocks: [PHLivePhotoFrameProcessingBlock] = [
            { frame, _ in frame.image.applyingFilter("CINoSuchFilter") },
            { frame, _ in frame.type == .photo ? frame.image : CIImage.empty() },
            { frame, _ in
                frame.type == .photo
                    ? frame.image
                    : frame.image.cropped(
                        to: CGRect(
                            x: 0,
                            y: 0,
                            width: frame.time.seconds > 0.2 ? 40 : 80,
                            height: 40
                        )
                    )
            },
        ]
        for block in blocks {
            context.frameProcessor = block
            await #expect(throws: PHPhotosError.self) {
                try await context.saveLivePhoto(to: output)
            }
            #expect(try files(output) == [])
        }
    }

    @Test func cancelledEditsSaySo() throws {
        let (context, input) = try editing.context(editing.add(LiveFiles.made(in: world.folder)))
        context.cancel()
        let output = output(input)
        let count = Mutex(0)
        context.frameProcessor = { [unowned context] frame, _ in
            let now = count.withLock { count in
                count += 1
                return count
            }
            if now == 3 { context.cancel() }
            return frame.image.applyingFilter("CIPhotoEffectMono")
        }
        let ends = Ends()
        context.saveLivePhoto(to: output) { ends.add($0, $1) }
        let end = try ends.one()
        #expect(!end.isSaved)
        #expect(end.error?.domain == PHPhotosErrorDomain)
        #expect(end.error?.code == PHPhotosError.Code.userCancelled.rawValue)
        #expect(count.withLock { $0 } == 3)
        #expect(try files(output) == [])
    }

    /// Behavior 167.
    @Test func whatIsBegunEndsWhatRuns() async throws {
        let (context, input) = try editing.context(editing.add(LiveFiles.made(in: world.folder)))
        let (first, second) = (output(input), output(input))
        let isHeld = Mutex(false)
        let goOn = DispatchSemaphore(value: 0)
        context.frameProcessor = { frame, _ in
            if frame.type == .video, !isHeld.withLock({ $0 }) {
                isHeld.withLock { $0 = true }
                Signals.send()
                goOn.wait()
            }
            return frame.image
        }
        let ends = Ends()
        context.saveLivePhoto(to: first) { ends.add($0, $1) }
        wait(for: "The first edit draws.", seconds: 60) { isHeld.withLock { $0 } }
        let other = Ends()
        context.saveLivePhoto(to: second) { other.add($0, $1) }
        goOn.signal()
        #expect(try ends.one().error?.code == PHPhotosError.Code.userCancelled.rawValue)
        let end = try other.one()
        #expect(end.isSaved && end.error == nil)
        #expect(try files(first) == [] && files(second).count == 2)
    }

    @Test func editsEndWithTheirTask() async throws {
        let (context, input) = try editing.context(editing.add(LiveFiles.made(in: world.folder)))
        let output = output(input)
        let hasBegun = Mutex(false)
        context.frameProcessor = { frame, _ in
            hasBegun.withLock { $0 = true }
            // The task is canceled in the middle of the movie.
            if frame.type == .video { wait(for: "It is cancelled.") { Task.isCancelled || true } }
            return frame.image
        }
        let task = Task { try await context.saveLivePhoto(to: output) }
        task.cancel()
        await #expect(throws: PHPhotosError.self) { try await task.value }
        #expect(try files(output) == [])
    }

    @Test func onlyLivePhotosHaveAContext() throws {
        let plain = try editing.input(editing.addPhoto())
        #expect(PHLivePhotoEditingContext(livePhotoEditingInput: plain) == nil)
        let movie = try #require(try ChangeWorld.samples.get().movies.first)
        let video = try editing.input(editing.add([(.video, movie)]))
        #expect(PHLivePhotoEditingContext(livePhotoEditingInput: video) == nil)
        // A missing file is logged.
        let asset = try editing.add(LiveFiles.made(in: world.folder, seconds: 0.2))
        let input = try editing.input(asset)
        try FileManager.default.removeItem(at: editing.file(.pairedVideo, of: asset))
        #expect(PHLivePhotoEditingContext(livePhotoEditingInput: input) == nil)
    }
}
