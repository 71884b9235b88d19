import Foundation
import Photos
import UIKit

/// What was not as it has to be.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Failure(message()) }
}

/// The model with doubles, as its unit tests have it.
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
            first == AlbumModel.Row(title: "IMG_0001.HEIC", detail: "4032 × 3024, live, favourite"),
            "the first row is \(first)"
        )
        let second = model.row(at: IndexPath(row: 1, section: 0))
        try expect(
            second == AlbumModel.Row(title: "IMG_0002.MOV", detail: "1920 × 1080, 9 s"),
            "the second row is \(second)"
        )

        var images: [UIImage?] = []
        model.loadThumbnail(at: IndexPath(item: 0, section: 0)) { images.append($0) }
        try expect(images.count == 1, "the degraded picture was not left out")
        try expect(
            manager.requestedSizes == [CGSize(width: 90, height: 90)],
            "the sizes asked for are \(manager.requestedSizes)"
        )

        var isTold = false
        model.onUpdate = { _ in isTold = true }
        model.photoLibraryDidChange(QuietChange())
        try expect(!isTold, "the model told of a change in which nothing happened")
        try expect(PHAsset() != photo, "an asset of nothing equals another")
    }
}
