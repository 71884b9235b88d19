internal import Foundation
internal import PhotoModel
public import Photos

extension PHAssetResource {
    /// Returns the resource that `PHImageManager` and exports read for a version of an asset.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - version: The edited version, the version without edits, or the best original. Of a RAW
    ///     and a JPEG, the best original is the RAW; the version without edits follows
    ///     `PHAsset.originalResourceChoice`.
    /// - Returns: The resource; nil for an asset that belongs to no library or has no such file.
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

    /// Indicates whether the file's bytes are on this machine, so that reading them needs no
    /// network.
    ///
    /// Reading this property downloads nothing.
    public var isLocallyAvailable: Bool {
        (value(forKey: "locallyAvailable") as? NSNumber)?.boolValue ?? false
    }
}
