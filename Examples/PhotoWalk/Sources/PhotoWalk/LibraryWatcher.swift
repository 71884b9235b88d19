import Foundation
import Photos

/// Observes all changes of the library, and checks their details.
final class LibraryWatcher: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    /// The details of one change for the photos, the albums and the watched photo.
    struct Report {
        var photos: PHFetchResultChangeDetails<PHAsset>?
        var albums: PHFetchResultChangeDetails<PHAssetCollection>?
        var watched: PHObjectChangeDetails<PHAsset>?
    }

    // The lock guards all of these.
    private let lock = NSLock()
    private var photos: PHFetchResult<PHAsset>
    private var albums: PHFetchResult<PHAssetCollection>
    private var watched: PHAsset?
    private var reports: [Report] = []
    private var failure: Failure?
    private var calls = 0

    init(photos: PHFetchResult<PHAsset>) {
        self.photos = photos
        albums = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .albumRegular,
            options: nil
        )
        super.init()
        PHPhotoLibrary.shared().register(self)
    }

    func stop() {
        PHPhotoLibrary.shared().unregisterChangeObserver(self)
    }

    /// Includes a photo in the reports from now on.
    func watch(_ asset: PHAsset) {
        lock.withLock { watched = asset }
    }

    var callCount: Int { lock.withLock { calls } }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        lock.withLock {
            calls += 1
            var report = Report()
            if let details = changeInstance.changeDetails(for: photos) {
                check(details, from: photos, "photos")
                photos = details.fetchResultAfterChanges
                report.photos = details
            }
            if let details = changeInstance.changeDetails(for: albums) {
                check(details, from: albums, "albums")
                albums = details.fetchResultAfterChanges
                report.albums = details
            }
            if let watched, let details = changeInstance.changeDetails(for: watched) {
                self.watched = details.objectAfterChanges
                report.watched = details
            }
            reports.append(report)
        }
    }

    /// Returns the next matching report, which may have arrived earlier, and discards those before it.
    func report(where fits: (Report) -> Bool) async throws -> Report {
        let deadline = Date(timeIntervalSinceNow: 20)
        while Date() < deadline {
            let found: Report? = try lock.withLock {
                if let failure { throw failure }
                guard let index = reports.firstIndex(where: fits) else { return nil }
                let report = reports[index]
                reports.removeSubrange(...index)
                return report
            }
            if let found { return found }
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        throw Failure("the observer received no matching change within 20 seconds")
    }

    /// The current index of an album.
    func albumIndex(of identifier: String) -> Int? {
        lock.withLock {
            (0..<albums.count).first { albums.object(at: $0).localIdentifier == identifier }
        }
    }

    /// Applies the indexes as a grid does with its cells, and compares the result.
    private func check<Object: PHObject>(
        _ details: PHFetchResultChangeDetails<Object>,
        from before: PHFetchResult<Object>,
        _ name: String
    ) {
        guard details.hasIncrementalChanges else {
            failure = Failure("the change of the \(name) has no indexes")
            return
        }
        let after = details.fetchResultAfterChanges
        var identifiers = (0..<before.count).map { before.object(at: $0).localIdentifier }
        for index in (details.removedIndexes ?? []).reversed() { identifiers.remove(at: index) }
        for index in details.insertedIndexes ?? [] {
            guard index <= identifiers.count else { break }
            identifiers.insert(after.object(at: index).localIdentifier, at: index)
        }
        details.enumerateMoves { from, to in
            identifiers.insert(identifiers.remove(at: from), at: to)
        }
        let expected = (0..<after.count).map { after.object(at: $0).localIdentifier }
        if identifiers != expected {
            failure = Failure("the indexes of the change result in the wrong \(name)")
        }
    }
}
