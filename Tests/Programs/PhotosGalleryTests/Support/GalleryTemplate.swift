import Foundation
import SamplePhotos
import Synchronization
import TestSupport
import Testing

/// Libraries of sample photos, which are drawn and imported once for all tests.
enum GalleryTemplate {
    private static let made = Mutex<[Int: TemporaryFolder]>([:])

    /// Returns a folder with the library `A.photolibrary` of so many photos, and their files in
    /// `samples`; both are to be copied.
    static func of(_ photos: Int) throws -> TemporaryFolder {
        try made.withLock { made in
            if let folder = made[photos] { return folder }
            let folder = try TemporaryFolder("photos-gallery-template")
            let environment = [
                "PHOTOS_LIBRARY": folder.file("A.photolibrary").path,
                "XDG_STATE_HOME": try folder.folder("state").path,
                "XDG_CACHE_HOME": try folder.folder("cache").path,
                "TMPDIR": try folder.folder("tmp").path,
            ]
            let samples = folder.file("samples")
            try SampleSet.demo(count: photos, megapixels: 0.05).write(to: samples) { _ in }
            for verb in [["create"], ["import", samples.path]] {
                let output = try ProcessRunner.run(
                    BuiltProducts.photos.path,
                    verb,
                    environment: environment
                )
                try #require(output.status == 0, "\(output.errorText)")
            }
            made[photos] = folder
            return folder
        }
    }
}
