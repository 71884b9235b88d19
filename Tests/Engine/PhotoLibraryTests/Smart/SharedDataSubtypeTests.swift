import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Media subtypes and playback styles of the real camera files, compared with queries to exiftool
/// and ffprobe.
extension SharedDataImportTests {
    /// The subtypes that a query determines, with the query.
    private static let queries: [(MediaSubtypes, String, @Sendable (CameraTags) throws -> Bool)] = [
        (.photoPanorama, "panorama", { $0.isPanorama }), (.photoHDR, "HDR", { $0.isHDR }),
        (.photoDepthEffect, "depth", { $0.hasDepth }),
        (.photoScreenshot, "screenshot", { $0.isScreenshot }),
        (.videoHighFrameRate, "slow motion", { try $0.isSlowMotion }),
        (.videoTimelapse, "time-lapse", { $0.isTimelapse }),
        (.videoScreenRecording, "screen recording", { $0.isScreenRecording }),
    ]

    /// The files for which exiftool is wrong: it does not read JPEG XL's colors (libjxl reports
    /// PQ), and it reads on in a file that is too damaged to know its colors.
    private static let blind: [String: MediaSubtypes] = [
        "formats/jxl-pq-gradient.jxl": .photoHDR, "malformed/corrupted.hif": .photoHDR,
    ]

    @Test(
        "Each media subtype is there where a query to exiftool or ffprobe says so, and only there",
        .needsProgram("exiftool"),
        .needsProgram("ffprobe")
    )
    func subtypesAgreeWithQueries() throws {
        let imported = try Self.imported.get()
        var counts: [String: Int] = [:]
        for tags in try CameraTags.all.get() {
            guard let outcome = imported.outcomes[tags.file], outcome.kind == .imported,
                let asset = outcome.localIdentifier.flatMap({ imported.assets[$0] })
            else { continue }
            for (subtype, name, query) in Self.queries {
                guard Self.blind[tags.file] != subtype else { continue }
                let expected = try query(tags)
                if expected { counts[name, default: 0] += 1 }
                #expect(
                    asset.mediaSubtypes.contains(subtype) == expected,
                    "\(tags.file): \(name) expected \(expected)"
                )
            }
        }
        // Each query matches something.
        #expect(counts.count == Self.queries.count, "\(counts)")
    }

    @Test(
        "Playback styles follow from the media type, the frames and the pair",
        .needsProgram("exiftool"),
        .needsProgram("ffprobe")
    )
    func playbackStylesFollow() throws {
        let imported = try Self.imported.get()
        var styles: [PlaybackStyle: Int] = [:]
        for tags in try CameraTags.all.get() {
            guard let outcome = imported.outcomes[tags.file], outcome.kind == .imported,
                let asset = outcome.localIdentifier.flatMap({ imported.assets[$0] })
            else { continue }
            styles[asset.playbackStyle, default: 0] += 1
            // exiftool treats AVIF with several frames as movies.
            let isStill = tags.file.hasSuffix(".avif")
            if tags.isMovie, !isStill, !asset.mediaSubtypes.contains(.photoLive) {
                #expect(asset.playbackStyle == .video, "\(tags.file)")
                #expect(asset.mediaType == .video && asset.duration >= 0, "\(tags.file)")
            } else if asset.mediaSubtypes.contains(.photoLive) {
                #expect(asset.playbackStyle == .livePhoto, "\(tags.file)")
            } else if asset.mediaType == .image {
                // Behavior 31: an animated image is an image.
                let isAnimated = asset.mediaSubtypes.contains(.photoAnimation)
                #expect(
                    asset.playbackStyle == (isAnimated ? .imageAnimated : .image),
                    "\(tags.file)"
                )
                #expect(asset.duration == 0, "\(tags.file)")
            }
        }
        #expect(Set(styles.keys) == [.image, .imageAnimated, .livePhoto, .video], "\(styles)")
    }

    @Test("Spatial pictures are those of two eyes; nothing here is cinematic or streamed")
    func rareSubtypes() throws {
        let imported = try Self.imported.get()
        let spatial = imported.assets.values.filter { $0.mediaSubtypes.contains(.spatialMedia) }
        #expect(spatial.map(\.originalFilename) == ["vision-pro-spatial-stereo.heic"])
        for asset in imported.assets.values {
            #expect(asset.mediaSubtypes.isDisjoint(with: [.videoCinematic, .videoStreamed]))
        }
    }
}
