import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// The properties of assets and tracks, which are the same by each way to load them.
@Suite(.timeLimit(.minutes(2)), .needsProgram("ffmpeg")) struct AssetPropertyTests {
    private let folder: TemporaryFolder
    private let asset: AVURLAsset

    init() throws {
        folder = try TemporaryFolder("photos-properties")
        let url = folder.file("movie.mov")
        // Half a second of video and of French stereo audio.
        _ = try MediaTool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=20:d=0.5", "-f", "lavfi",
                "-i", "sine=d=0.5:r=48000", "-ac", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                "-c:a", "aac", "-metadata:s:a:0", "language=fra", "-metadata",
                "com.apple.quicktime.title=A title", "-movflags", "use_metadata_tags", url.path,
            ]
        )
        asset = AVURLAsset(url: url)
    }

    @Test func capabilitiesAreThoseOfTheTracks() async throws {
        let (isPlayable, isExportable, isReadable, isComposable) = try await asset.load(
            .isPlayable,
            .isExportable,
            .isReadable,
            .isComposable
        )
        #expect(isPlayable && isExportable && isReadable && isComposable)
        #expect(asset.isPlayable && asset.isExportable && asset.isComposable)
        let (transform, rate, volume, isPrecise, isProtected) = try await asset.load(
            .preferredTransform,
            .preferredRate,
            .preferredVolume,
            .providesPreciseDurationAndTiming,
            .hasProtectedContent
        )
        #expect(transform == .identity && rate == 1 && volume == 1 && isPrecise && !isProtected)
        #expect(asset.preferredTransform == transform && asset.preferredRate == rate)
        #expect(asset.preferredVolume == volume && asset.providesPreciseDurationAndTiming)
        #expect(asset.naturalSize == CGSize(width: 160, height: 90))
        #expect(asset.copy() as? AVURLAsset === asset)
        asset.cancelLoading()
        #expect(asset.description.contains("movie.mov"))
    }

    @Test func metadataIsSortedByFormat() async throws {
        let (common, formats, date) = try await asset.load(
            .commonMetadata,
            .availableMetadataFormats,
            .creationDate
        )
        #expect(common.contains { $0.stringValue == "A title" && $0.commonKey == .commonKeyTitle })
        #expect(formats.contains(.quickTimeMetadata) && date == nil && asset.creationDate == nil)
        let items = try await asset.loadMetadata(for: .quickTimeMetadata)
        #expect(items == asset.metadata(forFormat: .quickTimeMetadata) && !items.isEmpty)
        #expect(asset.metadata(forFormat: .id3Metadata).isEmpty)
        #expect(asset.commonMetadata == common && asset.availableMetadataFormats == formats)
    }

    @Test func tracksAreFoundByTheirIdentifiersAndTypes() async throws {
        let picture = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(asset.track(withTrackID: picture.trackID) === picture)
        #expect(try await asset.loadTrack(withTrackID: picture.trackID) === picture)
        #expect(asset.track(withTrackID: 99) == nil)
        let visual = try await asset.loadTracks(withMediaCharacteristic: .visual)
        #expect(visual == [picture] && asset.tracks(withMediaCharacteristic: .visual) == visual)
        #expect(asset.tracks(withMediaCharacteristic: .audible).count == 1)
        #expect(asset.tracks(withMediaCharacteristic: .legible).isEmpty)
        #expect(asset.tracks(withMediaType: .timecode).isEmpty)
    }

    @Test func aVideoTrackHasItsFacts() async throws {
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let (range, scale, shortest, rate) = try await track.load(
            .timeRange,
            .naturalTimeScale,
            .minFrameDuration,
            .estimatedDataRate
        )
        #expect(range.start == .zero && abs(range.duration.seconds - 0.5) < 0.01)
        #expect(range == track.timeRange && scale == track.naturalTimeScale && scale > 0)
        #expect(abs(shortest.seconds - 0.05) < 0.001 && track.minFrameDuration == shortest)
        let length = try await track.load(.totalSampleDataLength)
        #expect(length == track.totalSampleDataLength && length > 100)
        // Bits per second of half a second.
        #expect(abs(Double(rate) - Double(length) * 16) <= Double(rate) * 0.1)
        let (characteristics, isPlayable, isDecodable, isEnabled, isSelfContained) =
            try await track.load(
                .mediaCharacteristics,
                .isPlayable,
                .isDecodable,
                .isEnabled,
                .isSelfContained
            )
        #expect(characteristics == [.visual])
        #expect(isPlayable && isDecodable && isEnabled && isSelfContained)
        #expect(track.isEnabled && track.isSelfContained && track.preferredVolume == 0)
        #expect(!track.hasMediaCharacteristic(.containsHDRVideo))
        #expect(track.copy() as? AVAssetTrack === track)
        #expect(track.description.contains("vide"))
        #expect(track.statusOfValue(forKey: "timeRange") == .loaded)
        await withCheckedContinuation { continuation in
            track.loadValuesAsynchronously(forKeys: ["timeRange"]) { continuation.resume() }
        }
    }

    @Test func anAudioTrackHasItsFacts() async throws {
        let track = try #require(asset.tracks(withMediaType: .audio).first)
        let (code, tag, volume) = try await track.load(
            .languageCode,
            .extendedLanguageTag,
            .preferredVolume
        )
        #expect(code == "fra" && tag == "fr" && volume == 1)
        #expect(track.languageCode == code && track.extendedLanguageTag == tag)
        let format = try #require(try await track.load(.formatDescriptions).first)
        let audio = try #require(format.audioStreamBasicDescription)
        #expect(format.mediaType == .audio && format.mediaType.description == "'soun'")
        #expect(format.mediaSubType.description == "'mp4a'")
        #expect(audio.mSampleRate == 48_000 && audio.mChannelsPerFrame == 2)
        #expect(format.dimensions == CMVideoDimensions())
        let picture = try #require(asset.tracks(withMediaType: .video).first)
        let other = try #require(try await picture.load(.formatDescriptions).first)
        #expect(other.mediaSubType == .h264 && other.mediaSubType.description == "'avc1'")
        #expect(other.dimensions == CMVideoDimensions(width: 160, height: 90))
        #expect(Set([format, other, format]).count == 2 && format != other)
    }

    @Test func assetsWithoutAFileCannotBeRead() async {
        let nothing = AVAsset()
        #expect(nothing.duration == .invalid && nothing.tracks.isEmpty && !nothing.isReadable)
        #expect(nothing.naturalSize == .zero && nothing.preferredTransform == .identity)
        #expect(nothing.statusOfValue(forKey: "tracks") == .failed)
        if case .failed(let error) = nothing.status(of: .tracks) {
            #expect(error.code == AVError.operationNotSupportedForAsset.rawValue)
        } else {
            Issue.record("It has no file.")
        }
        let found = await withCheckedContinuation { continuation in
            nothing.loadTracks(withMediaType: .video) { tracks, error in
                continuation.resume(returning: (tracks == nil, error is AVError))
            }
        }
        #expect(found == (true, true))
        if case .notYetLoaded = AVURLAsset(url: asset.url).status(of: .duration) {
        } else {
            Issue.record("It is not loaded.")
        }
    }

    @Test func playerItemsDescribeTheirAsset() async throws {
        _ = try await asset.load(.tracks)
        let item = AVPlayerItem(asset: asset)
        #expect(item.status == .readyToPlay && item.currentTime() == .zero)
        #expect(item.presentationSize == CGSize(width: 160, height: 90))
        #expect(item.duration == asset.duration && item.error == nil)
        let mix = AVAudioMix()
        item.audioMix = mix
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy !== item && copy.asset === asset && copy.audioMix === mix)
        #expect(mix.inputParameters.isEmpty && mix.copy() as? AVAudioMix === mix)
        #expect(AVAudioMixInputParameters().trackID == kCMPersistentTrackID_Invalid)
        let unread = AVPlayerItem(url: asset.url)
        #expect(unread.status == .unknown && unread.duration == .indefinite)
        #expect(unread.presentationSize == .zero)
    }

    @Test func errorsMatchTheirCodes() throws {
        let codes: [AVError.Code] = [
            AVError.unknown, AVError.diskFull, AVError.maximumFileSizeReached,
            AVError.exportFailed, AVError.decodeFailed, AVError.fileAlreadyExists,
            AVError.fileFormatNotRecognized, AVError.fileFailedToParse,
            AVError.contentIsProtected, AVError.operationNotSupportedForAsset,
            AVError.failedToLoadMediaData, AVError.operationNotAllowed,
            AVError.operationCancelled,
        ]
        // The numbers of AVFoundation's header.
        #expect(
            codes.map(\.rawValue) == [
                -11_800, -11_807, -11_811, -11_820, -11_821, -11_823, -11_828, -11_829, -11_831,
                -11_838, -11_849, -11_862, -11_878,
            ]
        )
        do {
            _ = try AVAssetImageGenerator(asset: AVAsset()).copyCGImage(at: .zero, actualTime: nil)
            Issue.record("There is no file.")
        } catch AVError.operationNotSupportedForAsset {
            // The pattern is that of programs.
        }
        let error = #expect(throws: AVError.self) {
            try AVAssetImageGenerator(asset: asset).copyCGImage(at: .invalid, actualTime: nil)
        }
        #expect(error?.code == .noImageAtTime && error?.errorCode == -11_832)
        #expect(error?.description.contains("-11832") == true)
        #expect(error?.errorDescription == error?.localizedDescription)
    }

    @Test func settingsOfGeneratorsAreKeptAndCancellingEndsRequests() async throws {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.apertureMode = .encodedPixels
        generator.requestedTimeToleranceAfter = .zero
        #expect(generator.apertureMode == .encodedPixels && generator.maximumSize == .zero)
        #expect(generator.requestedTimeToleranceAfter == .zero)
        #expect(generator.requestedTimeToleranceBefore == .positiveInfinity)
        #expect(!generator.appliesPreferredTrackTransform)
        // The first request waits in the handler until the others are canceled.
        let results = AsyncStream<AVAssetImageGenerator.Result> { continuation in
            let isFirst = Flag()
            let times = [0, 1, 2].map { NSValue(time: CMTime(value: $0, timescale: 10)) }
            let gate = DispatchSemaphore(value: 0)
            generator.generateCGImagesAsynchronously(forTimes: times) { time, _, _, result, _ in
                if isFirst.take() { gate.wait() }
                continuation.yield(result)
                if time == times[2].timeValue { continuation.finish() }
            }
            generator.cancelAllCGImageGeneration()
            gate.signal()
        }
        var found: [AVAssetImageGenerator.Result] = []
        for await result in results { found.append(result) }
        #expect(found.count == 3 && Array(found.dropFirst()) == [.cancelled, .cancelled])
        let sound = folder.file("sound.m4a")
        _ = try MediaTool.run(
            "ffmpeg",
            ["-v", "error", "-i", asset.url.path, "-vn", "-c", "copy", sound.path]
        )
        let silent = AVAssetImageGenerator(asset: AVURLAsset(url: sound))
        for await result in silent.images(for: [.zero]) {
            #expect(result.requestedTime == .zero)
            #expect(throws: AVError.self) { try result.image }
            #expect(throws: AVError.self) { try result.actualTime }
        }
    }
}

/// A flag that is taken once.
private final class Flag: @unchecked Sendable {
    // Guards the flag.
    private let lock = NSLock()
    private var isTaken = false

    func take() -> Bool {
        lock.withLock {
            defer { isTaken = true }
            return !isTaken
        }
    }
}
