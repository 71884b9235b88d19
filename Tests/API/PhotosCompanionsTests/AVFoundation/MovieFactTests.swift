import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// The properties of movies that assets report, compared with ffprobe.
@Suite(.timeLimit(.minutes(5))) struct MovieFactTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(.needsSharedData, arguments: SharedMovies.names(in: "video"))
    func factsAreFFprobes(_ name: String) async throws {
        let url = SharedData.file(name)
        let probe = try FFProbe(url)
        let asset = AVURLAsset(url: url)
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        #expect(abs(duration.seconds - probe.duration) < 0.05, "\(duration) \(probe.duration)")
        #expect(asset.duration == duration)
        let pictures = try await asset.loadTracks(withMediaType: .video)
        let streams = probe.streams("video").filter {
            ($0.values["disposition"] as? [String: Int])?["attached_pic"] != 1
        }
        #expect(pictures.count == streams.count)
        for (track, stream) in zip(pictures, streams) {
            let transform = track.preferredTransform
            let turn = Int((atan2(transform.b, transform.a) * 180 / .pi).rounded())
            #expect((turn + 360) % 360 == (stream.turn + 360) % 360)
            let width = stream.number("width") ?? 0
            let ratio = stream.text("sample_aspect_ratio") ?? "1:1"
            if ["1:1", "0:1"].contains(ratio) { #expect(Double(track.naturalSize.width) == width) }
            #expect(Double(track.naturalSize.height) == stream.number("height"))
            let rate = (stream.text("avg_frame_rate") ?? "0/1").split(separator: "/")
                .compactMap { Double($0) }
            if rate.count == 2, rate[0] > 0, rate[1] > 0 {
                let expected = Float(rate[0] / rate[1])
                #expect(abs(track.nominalFrameRate - expected) <= expected * 0.02)
            }
            let format = try #require(track.formatDescriptions.first as? CMFormatDescription)
            #expect(format.mediaType == .video)
            #expect(try await track.load(.formatDescriptions) == [format])
            if stream.text("codec_name") == "h264", name.hasSuffix("ov") {
                #expect(format.mediaSubType == .h264)
            }
        }
        let sound = asset.tracks(withMediaType: .audio)
        #expect(sound.count == probe.streams("audio").count)
        for (track, stream) in zip(sound, probe.streams("audio")) {
            let format = try #require(track.formatDescriptions.first as? CMFormatDescription)
            let description = try #require(format.audioStreamBasicDescription)
            #expect(description.mSampleRate == stream.number("sample_rate"))
            #expect(Double(description.mChannelsPerFrame) == stream.number("channels"))
        }
        #expect(asset.isReadable == !tracks.isEmpty)
        #expect(asset.tracks.first === tracks.first)
        #expect(asset.tracks.allSatisfy { $0.asset === asset })
    }

    @Test(.needsSharedData) func metadataHasNames() async throws {
        let asset = AVURLAsset(url: SharedData.file("live-photo/IMG_7943_HEVC.MOV"))
        let (items, common) = try await asset.load(.metadata, .commonMetadata)
        let identifier = AVMetadataItem.metadataItems(
            from: items,
            filteredByIdentifier: .quickTimeMetadataContentIdentifier
        )
        #expect(UUID(uuidString: identifier.first?.stringValue ?? "") != nil)
        let make = AVMetadataItem.metadataItems(
            from: common,
            withKey: AVMetadataKey.commonKeyMake,
            keySpace: .common
        )
        #expect(try await make.first?.load(.stringValue) == "Apple")
        #expect(make.first?.identifier == .quickTimeMetadataMake)
        #expect(asset.availableMetadataFormats.contains(.quickTimeMetadata))
        #expect(asset.metadata(forFormat: .quickTimeMetadata).count >= common.count - 1)
        let date = try #require(try await asset.load(.creationDate)?.dateValue)
        let tag = try #require(
            try FFProbe(SharedData.file("live-photo/IMG_7943_HEVC.MOV"))
                .tags["com.apple.quicktime.creationdate"]
        )
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZ"
        #expect(formatter.date(from: tag) == date)
    }

    @Test func assetsOfURLsAreURLAssets() throws {
        let url = URL(fileURLWithPath: "/nowhere/a.mov")
        let asset = AVAsset(url: url)
        #expect((asset as? AVURLAsset)?.url == url)
        #expect(AVPlayerItem(url: url).asset is AVURLAsset)
        #expect(AVURLAsset.audiovisualTypes().contains(.mov))
        #expect(AVURLAsset.audiovisualMIMETypes().contains("video/mp4"))
    }

    @Test func missingFilesSayWhy() async throws {
        let url = URL(fileURLWithPath: "/nowhere/a.mov")
        let asset = AVURLAsset(url: url)
        #expect(asset.statusOfValue(forKey: "duration") == .unknown)
        await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(asset.tracks.isEmpty && asset.metadata.isEmpty && !asset.isPlayable)
        #expect(!asset.duration.isNumeric && asset.creationDate == nil)
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &error) == .failed)
        #expect(error?.domain == AVFoundationErrorDomain)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        let item = AVPlayerItem(asset: asset)
        #expect(item.status == .failed && item.error != nil && item.duration.isIndefinite)
        let remote = try #require(URL(string: "https://example.com/a.mov"))
        do {
            _ = try await AVURLAsset(url: remote).load(.tracks)
            Issue.record("Nothing is read from the network.")
        } catch {
            #expect((error as? AVError)?.recoverySuggestion != nil)
        }
        await #expect(throws: AVError.self) { try await AVAsset().load(.tracks) }
    }

    @Test("A file that comes later is read later")
    func missingFilesAreTriedAgain() async throws {
        let sample = try sampleMovie()
        let url = folder.file("late.mov")
        let asset = AVURLAsset(url: url)
        #expect(asset.tracks.isEmpty)
        try FileManager.default.copyItem(at: sample, to: url)
        #expect(try await !asset.load(.tracks).isEmpty)
        #expect(asset.statusOfValue(forKey: "tracks") == .loaded)
        let item = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: ["tracks"])
        #expect(item.status == .readyToPlay && item.error == nil)
        #expect(item.presentationSize.width > 0 && item.duration == asset.duration)
        if case .loaded(let duration) = asset.status(of: .duration) {
            #expect(duration == asset.duration)
        } else {
            Issue.record("The duration is known.")
        }
    }

    @Test(.needsSharedData, arguments: SharedMovies.names(in: "malformed"))
    func damagedFilesAreReadOrFail(_ name: String) async throws {
        let asset = AVURLAsset(url: SharedData.file(name))
        do {
            let tracks = try await asset.load(.tracks)
            #expect(asset.tracks.count == tracks.count)
            for track in tracks { #expect(track.naturalSize.width >= 0) }
        } catch let error as AVError {
            #expect(!error.localizedDescription.isEmpty && error.failureReason != nil)
            #expect(asset.tracks.isEmpty && !asset.duration.isNumeric)
        }
    }

    @Test func callbacksComeOnce() async throws {
        let asset = AVURLAsset(url: try sampleMovie())
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) {
                continuation.resume()
            }
        }
        #expect(asset.statusOfValue(forKey: "tracks") == .loaded)
        let count = await withCheckedContinuation { continuation in
            asset.loadTracks(withMediaType: .video) { tracks, error in
                continuation.resume(returning: error == nil ? tracks?.count : nil)
            }
        }
        #expect(count == 1)
    }

    @Test func datesAreInstants() {
        let item = AVMutableMetadataItem()
        item.identifier = .quickTimeMetadataCreationDate
        for (text, seconds) in [
            ("2023-11-14T22:13:20Z", 1_700_000_000.0), ("2023-11-15T03:58:20+0545", 1_700_000_000),
            ("2023-11-14 22:13:20.250 +00:00", 1_700_000_000.25),
            ("2023-11-14T14:13:20-08:00", 1_700_000_000),
        ] {
            item.value = NSString(string: text)
            #expect(item.dateValue == Date(timeIntervalSince1970: seconds), "\(text)")
        }
        for text in ["2023", "2023-11-14T22:13:20", "2023-13-14T22:13:20Z", "", "soon"] {
            item.value = NSString(string: text)
            #expect(item.dateValue == nil, "\(text)")
        }
        #expect(item.commonKey == .commonKeyCreationDate && item.keySpace == .quickTimeMetadata)
        item.identifier = AVMetadataIdentifier("udta/%A9xyz")
        #expect(item.commonKey == .commonKeyLocation)
        #expect(item.identifier?.rawValue == "udta/%A9xyz")
        item.value = NSNumber(value: 2.5)
        #expect(item.numberValue == 2.5 && item.stringValue == "2.5")
    }

    /// Draws a movie.
    private func sampleMovie() throws -> URL {
        let movie = SampleMovie(size: PixelSize(width: 96, height: 64), duration: 0.5)
        return try folder.write(SampleFile.quickTime(movie), to: "sample.mov")
    }
}
