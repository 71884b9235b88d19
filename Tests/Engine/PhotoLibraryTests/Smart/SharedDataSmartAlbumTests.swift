import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Each smart album over the real camera files, compared with a query to exiftool or ffprobe.
extension SharedDataImportTests {
    /// Returns whether a file is in an album, by the camera's metadata; nil for an album with a
    /// separate test.
    private static func query(_ album: SmartAlbum, _ tags: CameraTags) throws -> Bool? {
        switch album {
        case .userLibrary, .recentlyAdded: return true
        case .favorites, .allHidden, .unableToUpload: return false
        case .videos: return tags.isMovie
        case .selfPortraits: return tags.has("LensModel") { $0.contains("front") }
        case .longExposures: return tags.numbers("ExposureTime").contains { $0 >= 1 }
        case .bursts:
            return ["BurstUUID", "BurstID"].contains { tags.has($0) { !$0.isEmpty } }
        case .panoramas: return tags.isPanorama
        case .depthEffect: return tags.hasDepth
        case .screenshots: return tags.has("UserComment") { $0.lowercased() == "screenshot" }
        case .screenRecordings: return tags.has("Author") { $0.hasPrefix("ReplayKit") }
        case .raw: return tags.has("MIMEType") { $0.hasPrefix("image/x-") }
        case .timelapses: return tags.values.contains { $0.value.lowercased() == "time-lapse" }
        case .slomoVideos: return try tags.isSlowMotion
        case .cinematic: return tags.values.contains { $0.name.contains("Cinematic") }
        // The lens identifies the camera of stereo pictures.
        case .spatial: return tags.has("LensModel") { $0.hasPrefix("Apple Vision Pro") }
        case .animated, .livePhotos: return nil
        }
    }

    @Test(
        "Each smart album holds what a query to exiftool or ffprobe finds",
        .needsProgram("exiftool"),
        .needsProgram("ffprobe")
    )
    func smartAlbumsAgreeWithQueries() throws {
        let imported = try Self.imported.get()
        for album in SmartAlbum.allCases {
            var expected: Set<String> = []
            var isAsked = true
            for tags in try CameraTags.all.get() {
                guard let isMember = try Self.query(album, tags) else {
                    isAsked = false
                    break
                }
                guard isMember, let identifier = imported.outcomes[tags.file]?.localIdentifier
                else {
                    continue
                }
                expected.insert(identifier)
            }
            guard isAsked else { continue }
            // A movie that belongs to a Live Photo is not among the videos, and an unpicked frame
            // is not among the bursts.
            expected = expected.filter { identifier in
                guard let asset = imported.assets[identifier] else { return false }
                if album == .videos { return asset.mediaType == .video }
                if album == .bursts {
                    // A frame without others is not in a burst.
                    let frames = imported.assets.values.filter {
                        $0.burstIdentifier == asset.burstIdentifier
                    }
                    if frames.count < 2 { return false }
                }
                return !asset.isBurstHidden
            }
            // A file that exiftool cannot read has no tags, but is in the library all the same.
            let known = Set(
                try CameraTags.all.get().compactMap { imported.outcomes[$0.file]?.localIdentifier }
            )
            let found = try members(of: album, in: imported).intersection(known)
            #expect(found == expected, "\(album): \(names(found.symmetricDifference(expected)))")
        }
    }

    @Test("Animated pictures are those that have several frames by ffprobe or exiftool")
    func animatedAgreesWithFrames() throws {
        let imported = try Self.imported.get()
        var expected: Set<String> = []
        for tags in try CameraTags.all.get() {
            guard let outcome = imported.outcomes[tags.file],
                let identifier = outcome.localIdentifier,
                imported.assets[identifier]?.mediaType == .image, outcome.kind == .imported
            else { continue }
            let frames = (tags.numbers("FrameCount") + tags.numbers("AnimationFrames")).max() ?? 1
            var isAnimated = frames > 1
            if ["avif", "heic", "heics", "webp", "jxl"].contains(
                (tags.file as NSString).pathExtension.lowercased()
            ), tags.file.hasPrefix("animated/") || tags.file.hasPrefix("malformed/") {
                if !isAnimated { isAnimated = try Self.packets(of: tags.file) > 1 }
            }
            if isAnimated { expected.insert(identifier) }
        }
        let found = try members(of: .animated, in: imported)
        // FFmpeg 5 does not support frames of WebP and JPEG XL, and mistakes one of two sequences
        // for a still; exiftool does not recognize the other.
        let missing = expected.subtracting(found)
        #expect(missing.isEmpty, "\(names(missing))")
        for identifier in found.subtracting(expected) {
            let name = imported.assets[identifier]?.originalFilename ?? ""
            #expect(["webp", "jxl", "heics"].contains((name as NSString).pathExtension), "\(name)")
        }
    }

    @Test("Live Photos are the stills and movies whose content identifiers exiftool finds equal")
    func livePhotosAgreeWithIdentifiers() throws {
        let imported = try Self.imported.get()
        let tags = try CameraTags.all.get()
        var expected: Set<String> = []
        for movie in tags where movie.isMovie {
            for identifier in movie.all("ContentIdentifier") {
                let stills = tags.filter {
                    !$0.isMovie
                        && ($0.all("ContentIdentifier") + $0.all("MediaGroupUUID"))
                            .contains(identifier)
                }
                expected.formUnion(
                    stills.compactMap { imported.outcomes[$0.file]?.localIdentifier }
                )
            }
        }
        // Motion photos: exiftool reports them, and ffprobe confirms that a movie is at their end.
        for still in tags where still.has("MotionPhoto", { $0 == "1" }) {
            let lengths = still.numbers("MotionPhotoOffset") + still.numbers("MicroVideoOffset")
            guard let length = lengths.first.map({ Int($0) }),
                try Self.isMovie(lastBytes: length, of: still.file)
            else { continue }
            expected.formUnion([imported.outcomes[still.file]?.localIdentifier].compactMap(\.self))
        }
        let found = try members(of: .livePhotos, in: imported)
        #expect(found == expected, "\(names(found.symmetricDifference(expected)))")
        #expect(found.count >= 3)
    }

    @Test("The sharpest frame stands for the burst: IMG_0664, as numpy says of the same previews")
    func burstGoesByQuality() throws {
        let imported = try Self.imported.get()
        let burst = "D4E4B3D1-0E45-4987-BE12-76D604E25D2C"
        let names = ["IMG_0658.JPG", "IMG_0664.JPG", "IMG_0667.JPG"]
        let scores = try imported.store.read { database in
            try names.map { name in
                try Double.fetchOne(
                    database,
                    sql: """
                        SELECT score FROM frameQuality JOIN asset ON id = assetId
                        WHERE burstIdentifier = ? AND originalFilename = ?
                        """,
                    arguments: [burst, name]
                )
            }
        }
        let (first, second, third) = (scores[0] ?? 0, scores[1] ?? 0, scores[2] ?? 0)
        #expect(first > 0 && second > third && third > first, "\(scores)")
        let key = imported.assets.values.first { $0.burstIdentifier == burst && $0.representsBurst }
        #expect(key?.originalFilename == "IMG_0664.JPG")
    }

    // MARK: - Helpers

    private func members(of album: SmartAlbum, in imported: Imported) throws -> Set<String> {
        let request = AssetFetchRequest(scope: .album(album.uuid))
        let ids = try AssetFetcher(store: imported.store).fetch(request).ids
        let byID = Dictionary(
            imported.assets.values.map { ($0.id, $0.localIdentifier) },
            uniquingKeysWith: { first, _ in first }
        )
        return Set(ids.compactMap { byID[$0] })
    }

    private func names(_ identifiers: Set<String>) -> [String] {
        let imported = try? Self.imported.get()
        return identifiers.compactMap { imported?.assets[$0]?.originalFilename }.sorted()
    }

    private static func isMovie(lastBytes length: Int, of file: String) throws -> Bool {
        let data = try Data(contentsOf: SharedData.file(file))
        guard length < data.count else { return false }
        let folder = try TemporaryFolder("photos-motion")
        let movie = try folder.write(data.suffix(length), to: "movie.mp4")
        return try FFProbe.videoStream(of: movie)["codec_name"] != nil
    }

    private static func packets(of file: String) throws -> Int {
        let output = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries",
                "stream=nb_read_packets", "-of", "csv=p=0", SharedData.file(file).path,
            ]
        )
        return output.lines.compactMap { Int($0) }.max() ?? 0
    }
}
