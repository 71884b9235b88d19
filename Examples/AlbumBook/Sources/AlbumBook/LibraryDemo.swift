import AVFoundation
import CoreMedia
import Foundation
import ImageIO
import Photos
import UIKit
import UniformTypeIdentifiers

/// The model with the library on this computer.
enum LibraryDemo {
    static func run() throws {
        let manager = PhotoLibraryManager.shared
        try expect(
            wait { manager.requestAccess(completion: $0) } ?? false,
            "there is no permission"
        )

        let photos = manager.assets(from: Date.distantPast as NSDate, to: .distantFuture)
        try expect(photos.count > 0, "the library has no photos")
        let newest = photos[0]
        try check(newest, with: manager)

        let albums = manager.smartAlbums()
        try expect(
            albums.contains { $0.assetCollectionSubtype == .smartAlbumUserLibrary },
            "the album of all photos is missing"
        )
        print("library: \(photos.count) photos, \(albums.count) smart albums with photos")

        guard let album = try manager.add([newest], toAlbum: "Book") else {
            throw Failure("the album was not created")
        }
        try showModel(of: album, with: manager, adding: photos[photos.count - 1])

        let outcome: (Bool, Error?)? = wait { done in
            manager.delete(album) { done(($0, $1)) }
        }
        try expect(outcome?.0 ?? false, "the album was not deleted: \(String(describing: outcome))")
        try showMovie()
    }

    private static func check(_ asset: PHAsset, with manager: PhotoLibraryManager) throws {
        guard let name = asset.value(forKey: "filename") as? String else {
            throw Failure("the newest photo has no name")
        }
        let (data, url) = manager.data(of: asset)
        try expect(
            data.map { Int64($0.count) } == manager.fileSize(of: asset),
            "“\(name)” has \(data?.count ?? -1) bytes and should have "
                + "\(manager.fileSize(of: asset) ?? -1)"
        )
        try expect(url?.isFileURL ?? false, "“\(name)” has no file")
        try expect(manager.isImage(asset), "“\(name)” does not have the type of an image")
        if let source = url.flatMap({ CGImageSourceCreateWithURL($0 as CFURL, nil) }) {
            let facts = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
            let width = facts?[kCGImagePropertyPixelWidth] as? Int
            let height = facts?[kCGImagePropertyPixelHeight] as? Int
            try expect(
                Set([width, height]) == Set([asset.pixelWidth, asset.pixelHeight]),
                "“\(name)” is \(width ?? -1) × \(height ?? -1) according to its file"
            )
        } else {
            throw Failure("“\(name)” can't be opened as an image")
        }
    }

    private static func showModel(
        of album: PHAssetCollection,
        with manager: PhotoLibraryManager,
        adding other: PHAsset
    ) throws {
        let model = AlbumModel(
            collection: album,
            assets: PHAsset.fetchAssets(in: album, options: nil),
            thumbnails: PHImageManager.default()
        )
        PHPhotoLibrary.shared().register(model)
        defer { PHPhotoLibrary.shared().unregisterChangeObserver(model) }
        let image: UIImage?? = wait { done in
            model.loadThumbnail(at: IndexPath(item: 0, section: 0), completion: done)
        }
        try expect(
            image??.size == CGSize(width: 90, height: 90),
            "the thumbnail is \(String(describing: image??.size))"
        )

        let update: AlbumModel.Update? = wait { done in
            model.onUpdate = done
            do {
                _ = try manager.add([other], toAlbum: "Book")
            } catch {
                print("not added: \(error)")
            }
        }
        guard case .cells(let removed, let inserted, _)? = update else {
            throw Failure("the model received \(String(describing: update))")
        }
        try expect(
            removed.isEmpty && inserted == [IndexPath(item: 1, section: 0)],
            "the model received the inserted indexes \(inserted)"
        )
        print("model: “\(model.title)” with \(model.numberOfRows) rows, one from an update")
    }

    private static func showMovie() throws {
        let videos = PHAsset.fetchAssets(with: .video, options: nil)
        guard let video = videos.firstObject else { return }
        let asset: AVAsset?? = wait { done in
            PHImageManager.default().requestAVAsset(forVideo: video, options: nil) {
                asset,
                _,
                _ in
                done(asset)
            }
        }
        guard let movie = asset as? AVURLAsset else { throw Failure("the movie has no file") }
        let seconds = CMTimeGetSeconds(movie.duration)
        try expect(
            abs(seconds - video.duration) < 0.1,
            "the movie is \(seconds) s long and should be \(video.duration) s"
        )
        print("movie: \(movie.url.lastPathComponent), \(String(format: "%.1f", seconds)) s")
    }

    /// Waits for the first answer, for at most half a minute.
    private static func wait<Answer>(_ start: (@escaping (Answer) -> Void) -> Void) -> Answer? {
        let semaphore = DispatchSemaphore(value: 0)
        let lock = NSLock()
        var answer: Answer?
        start { value in
            lock.lock()
            if answer == nil { answer = value }
            lock.unlock()
            semaphore.signal()
        }
        _ = semaphore.wait(timeout: .now() + 30)
        lock.lock()
        defer { lock.unlock() }
        return answer
    }
}
