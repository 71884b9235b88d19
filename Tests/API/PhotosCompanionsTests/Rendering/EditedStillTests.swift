import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// The still of a Live Photo that a program draws again, checked by exiftool.
@Suite(.timeLimit(.minutes(2)), .needsProgram("exiftool")) struct EditedStillTests {
    private let folder: TemporaryFolder
    private let still: EditedStill

    init() throws {
        folder = try TemporaryFolder("photos-still")
        let photo = SamplePhoto(
            Picture(.sea, seed: 1),
            size: PixelSize(width: 96, height: 64),
            metadata: SampleMetadata(make: "Maker", orientation: .right)
        )
        still = try EditedStill(try folder.write(SampleFile.jpeg(photo), to: "still.jpg"))
    }

    @Test func theImageIsUprightAndTheStoredOneIsNot() {
        #expect(still.orientation == .right)
        #expect(still.image.extent == CGRect(x: 0, y: 0, width: 96, height: 64))
        #expect(still.stored.extent == CGRect(x: 0, y: 0, width: 64, height: 96))
        #expect(still.stored.properties["Orientation"] as? Int == 6)
    }

    @Test(arguments: [(EditedStill.FileType.jpeg, "image/jpeg"), (.heic, "image/heic")])
    func filesKeepTheCamerasMetadata(_ row: (EditedStill.FileType, String)) throws {
        let url = folder.file("drawn")
        let drawn = still.image.applyingFilter("CIPhotoEffectNoir")
            .cropped(to: CGRect(x: 0, y: 0, width: 80, height: 48))
        try still.write(drawn, to: url, as: row.0, work: ForeignWork())
        let tags = try ExifTool.tags(of: url)
        #expect(tags["File:MIMEType"] == row.1 && tags["EXIF:Make"] == "Maker")
        #expect(tags["EXIF:Orientation"] == "1")
        #expect(CIImage(contentsOf: url)?.extent.size == CGSize(width: 80, height: 48))
        #expect(try ExifTool.complaints(about: url).isEmpty)
    }

    @Test func failuresLeaveNoFile() throws {
        let work = ForeignWork()
        work.cancel()
        let url = folder.file("cancelled.jpg")
        #expect(throws: CIRenderingError.self) {
            try still.write(still.image, to: url, as: .jpeg, work: work)
        }
        let nowhere = folder.file("no folder/a.jpg")
        let error = #expect(throws: CIRenderingError.self) {
            try still.write(still.image, to: nowhere, as: .jpeg, work: ForeignWork())
        }
        #expect(error?.code == .notWritten)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(throws: CIRenderingError.self) { try EditedStill(folder.file("missing.jpg")) }
    }
}
