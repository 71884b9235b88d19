import CoreImage
import Foundation
import Photos
import UIKit

/// Makes a photo black and white, so that it can be undone at any time.
struct NoirEditor {
    static let format = "org.example.PhotoWalk"
    static let formatVersion = "1"
    private static let filterName = "CIPhotoEffectNoir"

    let watcher: LibraryWatcher

    // MARK: - Applying

    /// Saves the effect, and waits until the observer knows.
    func apply(to asset: PHAsset) async throws -> PHAsset {
        let (input, _) = try await EditingInput.request(for: asset) { _ in false }
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = PHAdjustmentData(
            formatIdentifier: Self.format,
            formatVersion: Self.formatVersion,
            data: Data(Self.filterName.utf8)
        )
        try render(input, into: output.renderedContentURL)
        return try await save(asset) { request in
            request.contentEditingOutput = output
        }
    }

    private func render(_ input: PHContentEditingInput, into file: URL) throws {
        guard let url = input.fullSizeImageURL,
            let image = CIImage(contentsOf: url),
            let filter = CIFilter(name: Self.filterName)
        else { throw Failure("the photo's file can't be opened as an image") }
        filter.setValue(
            image.oriented(forExifOrientation: input.fullSizeImageOrientation),
            forKey: kCIInputImageKey
        )
        guard let result = filter.outputImage,
            let colors = CGColorSpace(name: CGColorSpace.sRGB),
            let data = CIContext().jpegRepresentation(of: result, colorSpace: colors)
        else { throw Failure("the effect can't be rendered") }
        try data.write(to: file, options: .atomic)
    }

    // MARK: - Reverting

    /// Takes the edit back, and waits until the observer knows.
    func revert(_ asset: PHAsset) async throws -> PHAsset {
        let reverted = try await save(asset) { request in
            request.revertAssetContentToOriginal()
        }
        try expect(!reverted.hasAdjustments, "the photo still has adjustments after the revert")
        let picture = try await Pixels(Self.picture(of: reverted, .current))
        try expect(picture.isColorful, "the photo has no colours after the revert")
        return reverted
    }

    /// Commits a change of the photo's content, and checks what the observer is told of it.
    private func save(
        _ asset: PHAsset,
        _ change: @escaping (PHAssetChangeRequest) -> Void
    ) async throws -> PHAsset {
        watcher.watch(asset)
        try await PHPhotoLibrary.shared().performChanges {
            change(PHAssetChangeRequest(for: asset))
        }
        let report = try await watcher.report { $0.watched?.assetContentChanged ?? false }
        guard let photos = report.photos else {
            throw Failure("the observer was told of the content, and not of the photos")
        }
        let place = photos.fetchResultAfterChanges.index(of: asset)
        try expect(
            photos.changedIndexes == [place],
            "the photo is at \(place), and the observer was told "
                + "\(photos.changedIndexes.map(Array.init) ?? [])"
        )
        guard let now = report.watched?.objectAfterChanges else {
            throw Failure("the photo is gone after a change of its content")
        }
        return now
    }

    // MARK: - Checking

    /// Looks at all versions of the edited photo.
    func check(_ asset: PHAsset, original: Data) async throws {
        try expect(asset.hasAdjustments, "the edited photo has no adjustments")
        let current = try await Pixels(Self.picture(of: asset, .current))
        try expect(current.isGrey, "the edited photo has colours: \(current.colorfulness)")
        let unadjusted = try await Pixels(Self.picture(of: asset, .unadjusted))
        try expect(unadjusted.isColorful, "the unadjusted photo has lost its colours")
        try expect(
            unadjusted.width == current.width && unadjusted.height == current.height,
            "the edited photo is \(current.width) × \(current.height), the unadjusted one "
                + "\(unadjusted.width) × \(unadjusted.height)"
        )
        let first = try await Pixels(Self.picture(of: asset, .original))
        try expect(first.isColorful, "the original has lost its colours")
        let file = try await ResourceReader.original(of: asset)
        try expect(file == original, "the edit has changed the original's file")
        let types = PHAssetResource.assetResources(for: asset).map(\.type)
        try expect(
            types.contains(.fullSizePhoto) && types.contains(.adjustmentData),
            "the edited photo has resources of the types \(types.map(\.rawValue)) only"
        )

        // Whoever knows the format gets the photo as it was, and the recipe.
        let (input, _) = try await EditingInput.request(for: asset) { data in
            data.formatIdentifier == Self.format && data.formatVersion == Self.formatVersion
        }
        guard let data = input.adjustmentData else {
            throw Failure("the edit's data did not come back")
        }
        try expect(data.data == Data(Self.filterName.utf8), "the edit's data is another")
        guard let url = input.fullSizeImageURL else {
            throw Failure("there is no file to go on editing with")
        }
        try expect(
            try Data(contentsOf: url) == original,
            "whoever goes on editing does not get the photo as it was"
        )
    }

    private static func picture(
        of asset: PHAsset,
        _ version: PHImageRequestOptionsVersion
    ) async throws -> UIImage {
        let options = PHImageRequestOptions()
        options.version = version
        options.deliveryMode = .highQualityFormat
        options.resizeMode = .exact
        return try await withCheckedThrowingContinuation { continuation in
            PHImageManager.default().requestImage(
                for: asset,
                targetSize: CGSize(width: 400, height: 400),
                contentMode: .aspectFit,
                options: options
            ) { image, info in
                guard let image else {
                    let error = info?[PHImageErrorKey] as? Error
                    continuation.resume(throwing: error ?? Failure("there is no picture"))
                    return
                }
                continuation.resume(returning: image)
            }
        }
    }
}
