import Foundation
import Photos
import Testing

/// The two files of a Live Photo, and the properties that other programs report.
struct LiveFiles {
    var still: URL
    var movie: URL

    /// Creates a drawn Live Photo: a JPEG and a Motion JPEG movie with a silent track and the time
    /// of the still.
    static func sample() throws -> LiveFiles {
        let samples = try ChangeWorld.samples.get()
        let found = samples.movies.lazy.compactMap { movie -> LiveFiles? in
            let still = movie.deletingPathExtension().appendingPathExtension("JPG")
            return samples.jpegs.contains(still) ? LiveFiles(still: still, movie: movie) : nil
        }.first
        return try #require(found)
    }

    /// Creates the still of a drawn Live Photo, and another movie with the same content identifier:
    /// moving colors and a tone.
    static func made(
        in folder: Folder,
        seconds: Double = 0.8,
        size: String = "128x96",
        codec: String = "libx264",
        _ options: [String] = []
    ) throws -> LiveFiles {
        var files = try sample()
        let identifier = try files.identifiers()[0]
        files.movie = folder.file("Made-\(UUID().uuidString).mov")
        _ = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=10", "-f", "lavfi",
                "-i", "sine=440:sample_rate=44100", "-t", "\(seconds)", "-c:v", codec, "-preset",
                "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "use_metadata_tags",
                "-metadata", "com.apple.quicktime.content.identifier=\(identifier)",
            ] + options + [files.movie.path]
        )
        return files
    }

    /// Returns the content identifiers of the still and the movie, as exiftool reads them.
    func identifiers() throws -> [String] {
        try [still, movie].map { file in
            try Tool.run(
                "exiftool",
                ["-s3", "-MediaGroupUUID", "-ContentIdentifier", file.path]
            )
            .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Returns the average saturation of a picture, or of each frame of a movie, by FFmpeg: 0 is
    /// gray.
    static func saturations(of file: URL) throws -> [Double] {
        let key = "lavfi.signalstats.SATAVG"
        let text = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file.path, "-vf",
                "format=yuv444p,signalstats,metadata=print:key=\(key):file=-", "-f", "null", "-",
            ]
        )
        return text.split(separator: "\n").compactMap { line in
            line.hasPrefix(key) ? Double(line.dropFirst(key.count + 1)) : nil
        }
    }

    /// Returns the mean audio level of a movie in decibels, by FFmpeg.
    static func level(of file: URL) throws -> Double {
        let text = try Tool.run(
            "sh",
            [
                "-c", "ffmpeg -hide_banner -i \"$1\" -af volumedetect -f null - 2>&1", "sh",
                file.path,
            ]
        )
        let words = text.split(whereSeparator: \.isWhitespace)
        let place = try #require(words.firstIndex(of: "mean_volume:"))
        return try #require(Double(words[place + 1]))
    }

    /// Returns the hash of the audio or video packets of a movie.
    static func packets(_ kind: String, of file: URL) throws -> String {
        try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file.path, "-map", "0:\(kind)", "-c", "copy", "-f", "hash",
                "-hash", "md5", "-",
            ]
        )
    }

    /// Returns the time of the still that a movie's track declares by its late start, by ffprobe.
    static func stillTime(of file: URL) throws -> Double? {
        try FFProbe(file).streams("data").compactMap { $0.number("start_time") }.first { $0 > 0 }
    }
}

extension EditingWorld {
    func add(_ files: LiveFiles) throws -> PHAsset {
        try add([(.photo, files.still), (.pairedVideo, files.movie)])
    }

    /// Returns a context for an asset, and the input that it was created with.
    func context(_ asset: PHAsset) throws -> (PHLivePhotoEditingContext, PHContentEditingInput) {
        let input = try input(asset)
        return (try #require(PHLivePhotoEditingContext(livePhotoEditingInput: input)), input)
    }

    /// Returns the file of a resource.
    func file(_ type: PHAssetResourceType, of asset: PHAsset) throws -> URL {
        let resource = PHAssetResource.assetResources(for: asset).first { $0.type == type }
        let found = try #require(resource)
        return try #require(found.value(forKey: "fileURL") as? URL)
    }

    /// Returns the file of a version of an asset's movie.
    func movie(
        of asset: PHAsset,
        _ version: PHVideoRequestOptionsVersion
    ) async throws -> URL {
        let options = PHVideoRequestOptions()
        options.version = version
        let url: URL? = await withCheckedContinuation { continuation in
            PHImageManager.default().requestAVAsset(forVideo: asset, options: options) {
                movie,
                _,
                _ in continuation.resume(returning: (movie as? AVURLAsset)?.url)
            }
        }
        return try #require(url)
    }
}
