internal import Foundation
public import Photos

extension PHAssetResource {
    /// The file that an asset's version is made of: what `PHImageManager` and exports take.
    ///
    /// - Parameters:
    ///   - asset: An asset of a library.
    ///   - version: The edit, the file without edits, or the best original: of RAW and JPEG the RAW.
    /// - Returns: Nil for an asset of no library, or without such a file.
    public static func primaryResource(
        for asset: PHAsset,
        version: PHImageRequestOptionsVersion = .current
    ) -> PHAssetResource? {
        let all = assetResources(for: asset)
        func first(_ types: [PHAssetResourceType]) -> PHAssetResource? {
            types.lazy.compactMap { type in all.first { $0.type == type } }.first
        }
        let unadjusted: [PHAssetResourceType] = [
            .photo, .video, .audio, .photoProxy, .alternatePhoto,
        ]
        switch version {
        case .current:
            return (asset.hasAdjustments ? first([.fullSizePhoto, .fullSizeVideo]) : nil)
                ?? first(unadjusted)
        case .unadjusted: return first(unadjusted)
        case .original:
            let raw = all.first {
                $0.type == .alternatePhoto && $0.uniformTypeIdentifier.contains("raw-image")
            }
            return raw ?? first(unadjusted)
        }
    }

    /// Whether the file's bytes are on this machine, so that reading them needs no network.
    ///
    /// Nothing is downloaded by asking.
    public var isLocallyAvailable: Bool {
        (value(forKey: "locallyAvailable") as? NSNumber)?.boolValue ?? false
    }
}
