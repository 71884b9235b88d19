import Foundation
import Photos
import UIKit

/// The message of a failed check.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Failure(message()) }
}

/// The model with test doubles, as in its unit tests.
enum ModelDemo {
    static func run() throws {
        let photo = FakeAsset(name: "IMG_0001.HEIC")
        let video = FakeAsset(name: "IMG_0002.MOV", type: .video, size: (1920, 1080), seconds: 9.5)
        let manager = FakeImageManager()
        let model = AlbumModel(
            collection: FakeCollection(),
            assets: FakeFetchResult([photo, video]),
            thumbnails: manager
        )
        try expect(model.title == "Doubles", "the title is \(model.title)")
        try expect(model.numberOfRows == 2, "there are \(model.numberOfRows) rows")
        let first = model.row(at: IndexPath(item: 0, section: 0))
        try expect(
            first == AlbumModel.Row(title: "IMG_0001.HEIC", detail: "4032 × 3024, live, favorite"),
            "the first row is \(first)"
        )
        let second = model.row(at: IndexPath(row: 1, section: 0))
        try expect(
            second == AlbumModel.Row(title: "IMG_0002.MOV", detail: "1920 × 1080, 9 s"),
            "the second row is \(second)"
        )

        var images: [UIImage?] = []
        model.loadThumbnail(at: IndexPath(item: 0, section: 0)) { images.append($0) }
        try expect(images.count == 1, "the degraded image was not skipped")
        try expect(
            manager.requestedSizes == [CGSize(width: 90, height: 90)],
            "the requested sizes are \(manager.requestedSizes)"
        )

        var isUpdated = false
        model.onUpdate = { _ in isUpdated = true }
        model.photoLibraryDidChange(QuietChange())
        try expect(!isUpdated, "the model reported an empty change")
        try expect(PHAsset() != photo, "an asset without a library equals another one")
    }
}
