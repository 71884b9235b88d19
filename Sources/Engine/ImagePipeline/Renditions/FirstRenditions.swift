internal import Foundation
internal import PhotoModel
internal import PhotoLibrary
internal import RenditionCodec
package import WorkerClient

/// Stores small JPEGs made from embedded camera previews during import, and from rendered edits.
package final class FirstRenditions: FirstRenditionSink {
    private let renditions: RenditionStore

    package init(renditions: RenditionStore) {
        self.renditions = renditions
    }

    package func store(pixels: PixelMemory, assetUUID: String, contentVersion: Int) {
        let size = pixels.description.size
        let jpeg = try? pixels.withBytes { bytes in
            try JPEGEncoder(quality: 80).encode(
                PixelRows(
                    bytes: bytes,
                    size: size,
                    bytesPerRow: pixels.description.bytesPerRow,
                    layout: pixels.description.layout == .rgb ? .rgb : .rgbx
                )
            )
        }
        guard let jpeg else { return }
        let key = RenditionStore.Key(
            assetUUID: assetUUID,
            contentVersion: contentVersion,
            sizeClass: RenditionStore.firstSizeClass
        )
        renditions.store(
            RenditionStore.Rendition(jpeg: jpeg, size: size, origin: .embeddedPreview),
            for: key
        )
        let print = PictureFingerprint(pixels: .memory(pixels))
        renditions.store(
            RenditionStore.Fingerprint(print: print, contentVersion: contentVersion),
            of: assetUUID
        )
    }
}
