internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
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

    /// The slots of transfers, as many as the process of a store serves at a time.
    private let transfers = AsyncSlots(StoreLimits.calls)

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

    /// Performs a transfer when a slot is free.
    ///
    /// The time limits of requests do not include this wait.
    ///
    /// - Throws: `cancelled` if the task is canceled while it waits, and the error of `body`.
    func withSlot<Result>(
        _ body: () async throws(LibraryError) -> Result
    ) async throws(LibraryError) -> Result {
        do {
            try await transfers.take()
        } catch {
            throw .cancelled
        }
        defer { transfers.release() }
        return try await body()
    }

    /// Removes the folder and all files in it that were not placed in the library.
    func end() {
        folder.update { staging in
            staging?.end()
            staging = nil
        }
    }
}
