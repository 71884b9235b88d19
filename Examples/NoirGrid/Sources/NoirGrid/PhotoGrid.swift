import Foundation
import Photos
import Synchronization

/// The newest photos, as a web page of thumbnails.
final class PhotoGrid: NSObject, Sendable {
    /// The new and changed photos of each change to the library.
    let changes: AsyncStream<[PHAsset]>

    let continuation: AsyncStream<[PHAsset]>.Continuation
    let result: Mutex<PHFetchResult<PHAsset>>
    private let folder: URL

    init(folder: URL) {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        options.fetchLimit = 24
        result = Mutex(PHAsset.fetchAssets(with: options))
        (changes, continuation) = AsyncStream.makeStream(of: [PHAsset].self)
        self.folder = folder
        super.init()
    }

    /// The photos in the order of the page.
    var photos: [PHAsset] {
        let fetched = result.withLock { $0 }
        return fetched.objects(at: IndexSet(integersIn: 0..<fetched.count))
    }

    /// Writes the thumbnails of some photos, and the page of all photos.
    func draw(_ assets: [PHAsset]) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for asset in assets {
            guard let data = try await thumbnail(of: asset).jpegData(compressionQuality: 0.8)
            else { throw GridError("A thumbnail cannot be encoded.") }
            try data.write(to: folder.appendingPathComponent(Self.fileName(of: asset)))
        }
        let cells = photos.map { "<img src='\(Self.fileName(of: $0))' alt=''>" }
        let page = """
            <!DOCTYPE html>
            <title>Newest photos</title>
            <style>body { display: grid; grid-template-columns: repeat(6, 200px); gap: 4px }</style>
            \(cells.joined(separator: "\n"))
            """
        let file = folder.appendingPathComponent("index.html")
        try page.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The UUID at the beginning of a local identifier makes a unique name.
    private static func fileName(of asset: PHAsset) -> String {
        "\(asset.localIdentifier.prefix(36)).jpg"
    }
}
