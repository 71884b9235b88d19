internal import Foundation
internal import PhotoModel
public import Photos

extension PHAssetResource {
    /// The file that an asset's version is made of: what `PHImageManager` and exports take.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - version: The edit, the file without edits, or the best original: of RAW and JPEG the RAW,
    ///     and without edits the one that counts (`PHAsset.originalResourceChoice`).
    /// - Returns: Nil for an asset of no library, or without such a file.
    public static func primaryResource(
        for asset: PHAsset,
        version: PHImageRequestOptionsVersion = .current
    ) -> PHAssetResource? {
        let all = assetResources(for: asset)
        func first(_ types: [PHAssetResourceType]) -> PHAssetResource? {
            types.lazy.compactMap { type in all.first { $0.type == type } }.first
        }
        func unadjusted(prefersRAW: Bool) -> PHAssetResource? {
            let originals: [PHAssetResourceType] = [
                .photo, .video, .audio, .photoProxy, .alternatePhoto,
            ]
            let found = originals.compactMap { type in all.first { $0.type == type } }
            return found.first {
                $0.uniformTypeIdentifier.isRAWContentType == prefersRAW
            } ?? found.first
        }
        let prefersRAW = asset.originalResourceChoice == .raw
        switch version {
        case .current:
            return (asset.hasAdjustments ? first([.fullSizePhoto, .fullSizeVideo]) : nil)
                ?? unadjusted(prefersRAW: prefersRAW)
        case .unadjusted: return unadjusted(prefersRAW: prefersRAW)
        case .original: return unadjusted(prefersRAW: true)
        }
    }

    /// Whether the file's bytes are on this machine, so that reading them needs no network.
    ///
    /// Nothing is downloaded by asking.
    public var isLocallyAvailable: Bool {
        (value(forKey: "locallyAvailable") as? NSNumber)?.boolValue ?? false
    }
}
