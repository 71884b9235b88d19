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
    /// As displayed.
    package var size: PixelSize
    /// Seconds.
    package var duration: Double
    /// Frames per second.
    package var frameRate: Int
    /// How far the scene moves on in a second of the movie: 1 is real time, 60 a time lapse.
    package var speed: Float = 1
    /// Pictures that are drawn; a movie with more frames shows each for a while.
    package var drawnFrames = 12
    /// In UTC, for the movie's header; nil writes zero, as some cameras do.
    package var created: Date?
    /// Date, place, camera, content identifier and orientation (1, 3, 6 or 8) are used.
    package var metadata: SampleMetadata
    /// More `mdta` keys, by their whole names.
    package var keys: [String: KeyValue] = [:]
    /// When a Live Photo's still was taken, in seconds from the movie's begin; nil for no word of it.
    package var stillTime: Double?
    /// Whether there is a track of silence.
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

    /// The number that marks a slow-motion movie which is still to be slowed down by the player.
    package static let fullFrameRateKey = "com.apple.quicktime.full-frame-rate-playback-intent"
}

extension SampleFile {
    /// A QuickTime movie.
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
