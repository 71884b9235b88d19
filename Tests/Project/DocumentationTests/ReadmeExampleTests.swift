import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Follows the README's steps as written.
@Suite(.timeLimit(.minutes(2))) struct ReadmeExampleTests {
    @Test func theExamplePrintsTheNewestPhotos() throws {
        let folder = try TemporaryFolder()
        var photo = SamplePhoto(Picture(.sea, seed: 1), size: PixelSize(width: 64, height: 48))
        photo.metadata = SampleMetadata(
            date: SampleDate(text: "2024:06:01 10:00:00", offset: "+02:00"),
            location: Location(latitude: 48.5, longitude: 2.25)
        )
        try folder.write(SampleFile.jpeg(photo), to: "card/older.jpg")
        photo.picture.seed = 2
        photo.metadata = SampleMetadata(
            date: SampleDate(text: "2024:06:02 10:00:00", offset: "+02:00")
        )
        try folder.write(SampleFile.jpeg(photo), to: "card/newer.jpg")

        let library = folder.file("Test.photolibrary").path
        let environment: [String: String?] = [
            "PHOTOS_LIBRARY": library,
            "XDG_STATE_HOME": folder.file("state").path,
            // There is no user to prompt.
            "PHOTOS_ACCESS": "authorized",
        ]
        let imported = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["import", folder.file("card").path],
            environment: environment
        )
        #expect(imported.status == 0, "\(imported.errorText)")
        let output = try ProcessRunner.run(
            BuiltProducts.executable("example-newest").path,
            [],
            environment: environment
        )
        #expect(output.status == 0, "\(output.errorText)")
        #expect(
            output.text == """
                2024-06-02T08:00:00Z 64 × 48 no place
                    newer.jpg
                2024-06-01T08:00:00Z 64 × 48 48.5, 2.25
                    older.jpg

                """
        )
    }
}
