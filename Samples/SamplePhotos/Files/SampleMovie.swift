package import Foundation
package import PhotoModel

/// A drawn movie: Motion JPEG in a QuickTime file, as old cameras wrote it.
package struct SampleMovie: Hashable, Sendable {
    /// A value of QuickTime's metadata keys.
    package enum KeyValue: Hashable, Sendable {
        case text(String)
        case integer(Int8)
    }

    package var picture: Picture
    /// The size as displayed.
    package var size: PixelSize
    /// Seconds.
    package var duration: Double
    /// Frames per second.
    package var frameRate: Int
    /// The speed of the scene: 1 is real time, 60 a time lapse.
    package var speed: Float = 1
    /// The number of drawn pictures; a movie with more frames repeats each.
    package var drawnFrames = 12
    /// The creation date of the movie's header, in UTC; nil writes zero, as some cameras do.
    package var created: Date?
    /// The metadata, of which the date, place, camera, content identifier and orientation are used.
    package var metadata: SampleMetadata
    /// Further `mdta` keys, by their full names.
    package var keys: [String: KeyValue] = [:]
    /// The time of a Live Photo's still in seconds from the movie's start; nil writes no still
    /// track.
    package var stillTime: Double?
    /// Whether to add a silent audio track.
    package var hasSound = false
    package var quality = 80

    package init(
        _ picture: Picture = Picture(.sea, seed: 1),
        size: PixelSize = PixelSize(width: 320, height: 240),
        duration: Double = 1,
        frameRate: Int = 30,
        created: Date? = nil,
        metadata: SampleMetadata = SampleMetadata()
    ) {
        self.picture = picture
        self.size = size
        self.duration = duration
        self.frameRate = frameRate
        self.created = created
        self.metadata = metadata
    }

    /// The number of frames that players show, at least one.
    package var frameCount: Int { max(1, Int((duration * Double(frameRate)).rounded())) }

    /// The key that marks a slow-motion movie that the player still has to slow down.
    package static let fullFrameRateKey = "com.apple.quicktime.full-frame-rate-playback-intent"
}

extension SampleFile {
    /// Returns a QuickTime movie.
    package static func quickTime(_ movie: SampleMovie) throws -> Data {
        let distinct = max(1, min(movie.drawnFrames, movie.frameCount))
        let seconds = Float(movie.frameCount) / Float(movie.frameRate)
        let frames = try (0..<distinct).map { index in
            var picture = movie.picture
            picture.phase += Float(index) / Float(distinct) * seconds * movie.speed
            let image = picture.drawn(
                size: movie.size,
                orientation: movie.metadata.orientation ?? .up
            )
            return try image.jpeg(quality: movie.quality)
        }
        return QuickTimeWriter(movie: movie, frames: frames).data
    }
}
