internal import Foundation
package import Logging
internal import PhotoModel
package import PhotoLibrary
internal import RenditionCodec
internal import Synchronization
package import WorkerClient
internal import WorkerProtocol

/// Makes small JPEGs of the previews that cameras embed, as files are imported.
///
/// The file of renditions is opened with the first of them.
package final class FirstRenditions: FirstRenditionSink {
    private let bundle: LibraryBundle
    private let logger: Logger
    private let store = Mutex<RenditionStore?>(nil)

    package init(bundle: LibraryBundle, logger: Logger) {
        self.bundle = bundle
        self.logger = logger
    }

    package func store(pixels: PixelMemory, assetUUID: String, contentVersion: Int) {
        let size = pixels.description.size
        let jpeg = try? pixels.withBytes { bytes in
            try JPEGEncoder(quality: 80).encode(
                PixelRows(
                    bytes: bytes,
                    size: size,
                    bytesPerRow: pixels.description.bytesPerRow,
                    layout: .rgb
                )
            )
        }
        guard let jpeg else { return }
        let key = RenditionStore.Key(
            assetUUID: assetUUID,
            contentVersion: contentVersion,
            sizeClass: RenditionStore.firstSizeClass
        )
        opened().store(
            jpeg,
            width: size.width,
            height: size.height,
            origin: .embeddedPreview,
            for: key
        )
    }

    private func opened() -> RenditionStore {
        store.withLock { store in
            if let store { return store }
            let new = RenditionStore(path: bundle.renditions, logger: logger)
            store = new
            return new
        }
    }
}
