import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Assets that are named on the command line.
enum AssetArguments {
    /// The asset with an identifier: `UUID/L0/001`, or the UUID alone, in any case.
    ///
    /// - Throws: When there is none.
    static func asset(_ identifier: String) throws -> PHAsset {
        let result = PHAsset.fetchAssets(
            withLocalIdentifiers: [identifier.uppercased()],
            options: nil
        )
        if let asset = result.firstObject { return asset }
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        throw PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey: "There is no asset \(identifier) in the library.",
                NSLocalizedRecoverySuggestionErrorKey: "photos list shows the identifiers.",
                PHLocalIdentifiersErrorKey: [identifier],
            ]
        )
    }
}
