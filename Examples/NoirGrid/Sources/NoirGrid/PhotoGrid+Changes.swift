import Photos
import Synchronization

extension PhotoGrid: PHPhotoLibraryChangeObserver {
    func photoLibraryDidChange(_ changeInstance: PHChange) {
        let before = result.withLock { $0 }
        guard let details = changeInstance.changeDetails(for: before) else { return }
        result.withLock { $0 = details.fetchResultAfterChanges }
        if details.hasIncrementalChanges {
            continuation.yield(details.insertedObjects + details.changedObjects)
        } else {
            continuation.yield(photos)
        }
    }
}
