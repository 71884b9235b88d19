import Foundation
import Photos
import Synchronization

/// An observer that records the changes that it receives.
final class CallLog: NSObject, PHPhotoLibraryChangeObserver, PHPhotoLibraryAvailabilityObserver,
    PHPhotoLibraryPersistentChangesObserver, Sendable
{
    struct Calls {
        var changes: [PHChange] = []
        var unavailable = 0
        var history = 0
    }

    let calls = Mutex(Calls())
    private let body: (@Sendable (PHChange) -> Void)?

    init(_ body: (@Sendable (PHChange) -> Void)? = nil) {
        self.body = body
        super.init()
    }

    var count: Int { calls.withLock(\.changes.count) }
    var last: PHChange? { calls.withLock(\.changes.last) }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        body?(changeInstance)
        calls.withLock { $0.changes.append(changeInstance) }
        Signals.send()
    }

    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {
        calls.withLock { $0.unavailable += 1 }
        Signals.send()
    }

    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
        calls.withLock { $0.history += 1 }
        Signals.send()
    }
}
