import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Exports that cannot be made, and what a session says about them.
@Suite(.timeLimit(.minutes(2))) struct ExportFailureTests {
    private let folder: TemporaryFolder
    private let asset: AVURLAsset

    init() throws {
        folder = try TemporaryFolder("photos-export")
        let movie = SampleMovie(size: PixelSize(width: 96, height: 64), duration: 1, frameRate: 10)
        asset = AVURLAsset(url: try folder.write(SampleFile.quickTime(movie), to: "a.mov"))
    }

    private func session(
        _ preset: String = AVAssetExportPresetPassthrough,
        of asset: AVAsset? = nil
    ) throws -> AVAssetExportSession {
        let session = try #require(
            AVAssetExportSession(asset: asset ?? self.asset, presetName: preset)
        )
        session.outputURL = folder.file("out.mov")
        session.outputFileType = .mov
        return session
    }

    private func failure(of session: AVAssetExportSession) async throws -> AVError {
        await session.export()
        #expect(session.status == .failed && session.progress < 1)
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mov").path))
        return try #require(session.error as? AVError)
    }

    @Test func settingsAreKept() throws {
        let session = try session()
        let range = CMTimeRange(start: .zero, duration: CMTimeMake(value: 1, timescale: 2))
        session.timeRange = range
        session.fileLengthLimit = -5
        session.shouldOptimizeForNetworkUse = true
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = NSString(string: "before")
        session.metadata = [item]
        item.value = NSString(string: "after")
        #expect(session.metadata?.first?.stringValue == "before")
        #expect(session.timeRange == range && session.fileLengthLimit == 0)
        #expect(session.shouldOptimizeForNetworkUse && session.outputFileType == .mov)
        #expect(session.outputURL == folder.file("out.mov") && session.asset === asset)
        #expect(session.presetName == AVAssetExportPresetPassthrough && session.error == nil)
    }

    @Test func placesThatAreNoFilesAreRefused() async throws {
        let remote = try session()
        remote.outputURL = URL(string: "https://example.org/a.mov")
        let error = try await failure(of: remote)
        #expect(error.code == .operationNotAllowed && error.recoverySuggestion != nil)
        let none = try session()
        none.outputURL = nil
        #expect(try await failure(of: none).code == .operationNotAllowed)
    }

    @Test func rangesOutsideTheMovieAreRefused() async throws {
        let second = CMTimeMake(value: 1, timescale: 1)
        let ranges = [
            CMTimeRange.invalid, CMTimeRange(start: .zero, duration: .zero),
            CMTimeRange(start: CMTimeMake(value: 5, timescale: 1), duration: .positiveInfinity),
            CMTimeRange(start: .zero, duration: .indefinite),
            CMTimeRange(start: CMTimeMake(value: -2, timescale: 1), duration: second),
            CMTimeRange(start: CMTimeMake(value: -1, timescale: 1), duration: second),
        ]
        for range in ranges {
            let session = try session()
            session.timeRange = range
            #expect(try await failure(of: session).code == .operationNotAllowed, "\(range)")
        }
    }

    @Test func rangesThatBeginBeforeTheMovieAreCut() async throws {
        let session = try session()
        session.timeRange = CMTimeRange(
            start: CMTimeMake(value: -1, timescale: 1),
            duration: CMTimeMake(value: 3, timescale: 2)
        )
        await session.export()
        #expect(session.status == .completed)
        let duration = try await AVURLAsset(url: folder.file("out.mov")).load(.duration)
        #expect(abs(duration.seconds - 0.5) < 0.11, "\(duration)")
    }

    @Test func metadataNeedsAnIdentifierAndAText() async throws {
        let session = try session()
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = NSData(data: Data([1, 2]))
        session.metadata = [item]
        #expect(try await failure(of: session).code == .operationNotAllowed)
    }

    @Test func assetsThatCannotBeReadAreNotExported() async throws {
        let nothing = try session(of: AVAsset())
        #expect(try await failure(of: nothing).code == .operationNotSupportedForAsset)
        #expect(nothing.estimatedOutputFileLength == 0 && nothing.maxDuration == .invalid)
        #expect(nothing.supportedFileTypes.isEmpty)
        let sound = try session(AVAssetExportPresetAppleM4A)
        let error = try await failure(of: sound)
        #expect(error.code == .operationNotSupportedForAsset)
        #expect(error.recoverySuggestion?.contains("exportPresets(compatibleWith:)") == true)
        let estimate = await withCheckedContinuation { continuation in
            nothing.estimateOutputFileLength { length, error in
                continuation.resume(returning: (length, error is AVError))
            }
        }
        #expect(estimate == (0, true))
    }

    @Test func aSessionExportsOnceAndReportsItsStates() async throws {
        let session = try session()
        let states = session.states()
        async let seen = states.reduce(into: [String]()) { names, state in
            switch state {
            case .pending: names.append("pending")
            case .waiting: names.append("waiting")
            case .exporting: names.append("exporting")
            }
        }
        await session.export()
        #expect(session.status == .completed && session.progress == 1)
        // The latest states are kept for a slow reader.
        #expect(await seen == ["pending", "waiting", "exporting"])
        var count = 0
        for await _ in session.states() { count += 1 }
        #expect(count == 0)
        let length = await withCheckedContinuation { continuation in
            session.estimateOutputFileLength { length, error in
                continuation.resume(returning: error == nil ? length : 0)
            }
        }
        #expect(length > 0 && length == session.estimatedOutputFileLength)
        // Calls the handler, and does not export again.
        await withCheckedContinuation { continuation in
            session.exportAsynchronously { continuation.resume() }
        }
        #expect(session.status == .completed)
    }

    /// As many handlers as may run at the same time, and one more, each wait for an export.
    @Test func completionHandlersMayWaitForOtherExports() async throws {
        let count = 1 + max(2, ProcessInfo.processInfo.activeProcessorCount)
        let areAllDone = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask { try await exportTwice(number) }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(areAllDone)
    }

    /// Exports the movie, and exports it again inside of the completion handler.
    private func exportTwice(_ number: Int) async throws -> Bool {
        let (first, second) = (try session(), try session())
        first.outputURL = folder.file("first-\(number).mov")
        second.outputURL = folder.file("second-\(number).mov")
        return await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            first.exportAsynchronously {
                let done = DispatchSemaphore(value: 0)
                second.exportAsynchronously { done.signal() }
                let isDone = done.wait(timeout: .now() + 30) == .success
                continuation.resume(returning: isDone && second.status == .completed)
            }
        }
    }

    /// Its handler is called, although that of the export before it runs until then.
    @Test func aWaitingExportIsCanceledAtOnce() async throws {
        let (first, second) = (try session(), try session())
        second.outputURL = folder.file("second.mov")
        let isCalled = DispatchSemaphore(value: 0)
        let statuses = AsyncStream<AVAssetExportSession.Status> { continuation in
            first.exportAsynchronously {
                _ = isCalled.wait(timeout: .now() + 30)
                continuation.finish()
            }
            second.exportAsynchronously {
                continuation.yield(second.status)
                isCalled.signal()
            }
            second.cancelExport()
            #expect(second.status == .cancelled)
        }
        var seen: [AVAssetExportSession.Status] = []
        for await status in statuses { seen.append(status) }
        #expect(seen == [.cancelled])
        #expect(!FileManager.default.fileExists(atPath: folder.file("second.mov").path))
    }
}
