import Foundation
import Photos

// The code in the article "Reading resources".

func copyOriginals(of asset: PHAsset, into folder: URL) async throws {
    for resource in PHAssetResource.assetResources(for: asset) {
        let file = folder.appendingPathComponent(resource.originalFilename)
        try await PHAssetResourceManager.default().writeData(
            for: resource,
            toFile: file,
            options: nil
        )
    }
}

func readInChunks(_ resource: PHAssetResource) -> PHAssetResourceDataRequestID {
    let options = PHAssetResourceRequestOptions()
    options.progressHandler = { fraction in print(fraction) }
    return PHAssetResourceManager.default().requestData(
        for: resource,
        options: options,
        dataReceivedHandler: { chunk in print(chunk.count, "bytes") },
        completionHandler: { error in print(error ?? "complete") }
    )
}

func copyForEditing(_ original: URL, to copy: URL) throws {
    try FileManager.default.copyItem(at: original, to: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
}
