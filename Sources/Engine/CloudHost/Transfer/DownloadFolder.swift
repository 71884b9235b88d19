internal import EmbeddedLibrary
internal import Foundation
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary
internal import StoreProtocol

/// The temporary folder of downloads, which exists only while files are downloaded.
final class DownloadFolder: Sendable {
    private let folder = Monitor<CloudStaging?>(nil)
    let placement: DownloadPlacement
    /// The slots of the threads that read objects from their files.
    ///
    /// Such a thread also decrypts, so there are few more than processors, to keep these busy while
    /// others wait for the disk.
    let readers = AsyncSlots(max(4, min(8, ProcessInfo.processInfo.activeProcessorCount)))

    init(placement: DownloadPlacement = DownloadPlacement()) { self.placement = placement }

    func staging(of engine: LibraryEngine) throws(LibraryError) -> CloudStaging {
        if let staging = folder.withLock(\.self) { return staging }
        let made = try engine.cloudStaging()
        return folder.update { staging in
            if let staging { return staging }
            staging = made
            return made
        }
    }

    /// Removes the folder and all files in it that were not placed in the library.
    func end() {
        folder.update { staging in
            staging?.end()
            staging = nil
        }
    }
}
