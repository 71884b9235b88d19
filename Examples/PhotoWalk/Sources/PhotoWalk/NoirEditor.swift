import CoreImage
import Foundation
import Photos
import UIKit

/// Makes a photo black and white, in a way that can be reverted at any time.
struct NoirEditor {
    static let format = "org.example.PhotoWalk"
    static let formatVersion = "1"
    private static let filterName = "CIPhotoEffectNoir"

    let watcher: LibraryWatcher

    // MARK: - Applying

    /// Saves the effect, and waits until the observer is notified.
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

    /// Reverts the edit, and waits until the observer is notified.
    func revert(_ asset: PHAsset) async throws -> PHAsset {
        let reverted = try await save(asset) { request in
            request.revertAssetContentToOriginal()
        }
        try expect(!reverted.hasAdjustments, "the photo still has adjustments after the revert")
        let picture = try await Pixels(Self.picture(of: reverted, .current))
        try expect(picture.isColorful, "the photo has no colors after the revert")
        return reverted
    }

    /// Commits a change of the photo's content, and checks the details that the observer receives.
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
            throw Failure("the observer received a change of the content only")
        }
        let place = photos.fetchResultAfterChanges.index(of: asset)
        try expect(
            photos.changedIndexes == [place],
            "the photo is at \(place), but the observer received "
                + "\(photos.changedIndexes.map(Array.init) ?? [])"
        )
        guard let now = report.watched?.objectAfterChanges else {
            throw Failure("the photo is missing after a change of its content")
        }
        return now
    }

    // MARK: - Checking

    /// Checks all versions of the edited photo.
    func check(_ asset: PHAsset, original: Data) async throws {
        try expect(asset.hasAdjustments, "the edited photo has no adjustments")
        let current = try await Pixels(Self.picture(of: asset, .current))
        try expect(current.isGray, "the edited photo has colors: \(current.colorfulness)")
        let unadjusted = try await Pixels(Self.picture(of: asset, .unadjusted))
        try expect(unadjusted.isColorful, "the unadjusted photo has lost its colors")
        try expect(
            unadjusted.width == current.width && unadjusted.height == current.height,
            "the edited photo is \(current.width) × \(current.height), the unadjusted one "
                + "\(unadjusted.width) × \(unadjusted.height)"
        )
        let first = try await Pixels(Self.picture(of: asset, .original))
        try expect(first.isColorful, "the original has lost its colors")
        let file = try await ResourceReader.original(of: asset)
        try expect(file == original, "the edit has changed the original's file")
        let types = PHAssetResource.assetResources(for: asset).map(\.type)
        try expect(
            types.contains(.fullSizePhoto) && types.contains(.adjustmentData),
            "the edited photo has only resources of the types \(types.map(\.rawValue))"
        )

        // An editor that can handle the format receives the unedited photo and the adjustment data.
        let (input, _) = try await EditingInput.request(for: asset) { data in
            data.formatIdentifier == Self.format && data.formatVersion == Self.formatVersion
        }
        guard let data = input.adjustmentData else {
            throw Failure("the adjustment data is missing")
        }
        try expect(data.data == Data(Self.filterName.utf8), "the adjustment data differs")
        guard let url = input.fullSizeImageURL else {
            throw Failure("the editing input has no file")
        }
        try expect(
            try Data(contentsOf: url) == original,
            "the editing input is not the unedited photo"
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
                    continuation.resume(throwing: error ?? Failure("the image can't be loaded"))
                    return
                }
                continuation.resume(returning: image)
            }
        }
    }
}
