import Foundation
import PhotoModel
import SamplePhotos

/// Pictures with the size, the entropy and the metadata of a phone's.
enum BenchmarkPictures {
    /// Draws JPEGs of 12 megapixels and about 3 MB, with EXIF and an embedded preview.
    static func jpegs(count: Int) throws -> [Data] {
        try (0..<count).map { index in
            let picture = Picture(index.isMultiple(of: 2) ? .hills : .sea, seed: UInt64(index))
            var metadata = SampleMetadata(
                location: Location(latitude: 48.1, longitude: 11.5, altitude: 520),
                make: "Apple",
                model: "iPhone 15 Pro"
            )
            metadata.hasThumbnail = true
            let image = picture.drawn(size: PixelSize(width: 4_032, height: 3_024), grain: 0.035)
            return try SampleFile.jpeg(image, metadata: metadata, quality: 88)
        }
    }
}
