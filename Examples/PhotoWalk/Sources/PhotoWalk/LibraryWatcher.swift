import Foundation
import Photos

/// Hears of every change of the library, and checks what it is told.
final class LibraryWatcher: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    /// What one change did to the photos, to the albums and to the photo that is watched.
    struct Report {
        var photos: PHFetchResultChangeDetails<PHAsset>?
        var albums: PHFetchResultChangeDetails<PHAssetCollection>?
        var watched: PHObjectChangeDetails<PHAsset>?
    }

    // All under the lock.
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

    /// Reports tell of this photo from now on.
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

    /// The next change that fits, however long ago it came; others before it are forgotten.
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
        throw Failure("the observer was not told of a change within 20 seconds")
    }

    /// Where an object is among the albums now.
    func albumIndex(of identifier: String) -> Int? {
        lock.withLock {
            (0..<albums.count).first { albums.object(at: $0).localIdentifier == identifier }
        }
    }

    /// Does by the indexes what a screen does with its cells, and compares with what is there.
    private func check<Object: PHObject>(
        _ details: PHFetchResultChangeDetails<Object>,
        from before: PHFetchResult<Object>,
        _ name: String
    ) {
        guard details.hasIncrementalChanges else {
            failure = Failure("the change of the \(name) came without indexes")
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
            failure = Failure("the indexes of the change lead to other \(name) than there are")
        }
    }
}
