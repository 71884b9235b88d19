import Foundation
import Photos
import PhotosManagement
import Synchronization

// The code in the article "Observing changes".

final class Album: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let result = Mutex(PHAsset.fetchAssets(with: nil))

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        let before = result.withLock { $0 }
        guard let details = changeInstance.changeDetails(for: before) else { return }
        result.withLock { $0 = details.fetchResultAfterChanges }
        guard details.hasIncrementalChanges else { return print("reload everything") }
        print("removed", details.removedIndexes ?? [], "inserted", details.insertedIndexes ?? [])
        details.enumerateMoves { from, to in print("moved", from, "to", to) }
        print("changed", details.changedIndexes ?? [])
    }
}

func follow(_ fetched: PHFetchResult<PHAsset>) async {
    var result = fetched
    var list = result.objects(at: IndexSet(integersIn: 0..<result.count))
    for await change in PHPhotoLibrary.shared().changes {
        guard let details = change.changeDetails(for: result) else { continue }
        if let difference = details.difference, let new = list.applying(difference) { list = new }
        result = details.fetchResultAfterChanges
    }
}

func catchUp(since start: PHPersistentChangeToken) throws -> PHPersistentChangeToken {
    var token = start
    do {
        for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
            let details = try change.changeDetails(for: .asset)
            print("new:", details.insertedLocalIdentifiers)
            token = change.changeToken
        }
    } catch PHPhotosError.persistentChangeTokenExpired {
        token = PHPhotoLibrary.shared().currentChangeToken
        print("fetch everything again")
    }
    return token
}

final class History: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
    private let token = Mutex(PHPhotoLibrary.shared().currentChangeToken)

    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
        let since = token.withLock { $0 }
        guard let changes = try? photoLibrary.fetchPersistentChanges(since: since) else { return }
        for change in changes {
            if let details = try? change.changeDetails(for: .asset) {
                print("updated:", details.updatedLocalIdentifiers)
            }
            token.withLock { $0 = change.changeToken }
        }
    }
}
