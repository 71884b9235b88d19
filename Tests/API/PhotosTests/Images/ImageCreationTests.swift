import Foundation
import Photos
import PhotosManagement
import Testing

/// New assets from pictures in memory: the only lossy way (pains 22).
@Suite(.timeLimit(.minutes(2))) struct ImageCreationTests {
    private let folder: Folder
    private let bundle: PhotoLibraryBundle

    init() throws {
        // Sets up the worker.
        _ = try FilesLibrary.shared.get()
        folder = try Folder()
        let url = folder.file("New.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        bundle = try PhotoLibraryBundle.open(at: url)
    }

    private func picture(_ type: UTType) throws -> UIImage {
        let library = try FilesLibrary.shared.get()
        let asset = try #require(
            try library.assets().first { $0.mediaType == .image && $0.contentType == type }
        )
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.resizeMode = .exact
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 120, height: 80),
            contentMode: .aspectFill,
            options: options
        ) { image, _ in found = image }
        return try #require(found)
    }

    private func create(_ image: UIImage) throws -> PHAsset {
        try bundle.photoLibrary.performChangesAndWait {
            let request = PHAssetChangeRequest.creationRequestForAsset(from: image)
            request.isFavorite = true
        }
        let all = try bundle.fetchAssets(with: nil)
        #expect(all.count == 1)
        return try #require(all.firstObject)
    }

    @Test func aPictureBecomesAJPEG() throws {
        let image = try picture(.jpeg)
        let asset = try create(image)
        #expect(asset.contentType == .jpeg && asset.isFavorite)
        #expect(asset.pixelWidth == 120 && asset.pixelHeight == 80)
        let before = try #require(image.cgImage?.dataProvider?.data)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: PHImageManagerMaximumSize,
            contentMode: .default,
            options: options
        ) { image, _ in found = image }
        let after = try #require(found?.cgImage?.dataProvider?.data)
        try #require(after.count == before.count)
        let sum = zip(before, after).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(sum) / Double(before.count) < 6)
    }

    @Test func recipesKeepTheirAlpha() throws {
        let size = CGRect(x: 0, y: 0, width: 64, height: 48)
        let half = CIImage(color: CIColor(red: 1, green: 0, blue: 0, alpha: 0.5)).cropped(to: size)
        let asset = try create(UIImage(ciImage: half))
        #expect(asset.contentType == .png && asset.pixelWidth == 64 && asset.pixelHeight == 48)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: PHImageManagerMaximumSize,
            contentMode: .default,
            options: options
        ) { image, _ in found = image }
        let image = try #require(found?.cgImage)
        let bytes = try #require(image.dataProvider?.data)
        #expect(image.alphaInfo == .last && bytes[0] == 255)
        #expect((127...129).contains(bytes[3]), "\(bytes[3])")
    }

    @Test func recipesWithoutAlphaBecomeJPEGs() throws {
        let size = CGRect(x: 0, y: 0, width: 64, height: 48)
        let asset = try create(UIImage(ciImage: CIImage(color: .red).cropped(to: size)))
        #expect(asset.contentType == .jpeg)
    }

    @Test func whatHasNoPixelsFailsAsAWhole() throws {
        let error = #expect(throws: PHPhotosError.self) {
            try bundle.photoLibrary.performChangesAndWait {
                _ = PHAssetChangeRequest.creationRequestForAsset(from: UIImage())
            }
        }
        #expect(error?.localizedDescription.contains("creationRequestForAsset(from:)") == true)
        #expect(try bundle.fetchAssets(with: nil).count == 0)
    }
}
