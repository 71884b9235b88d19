import Foundation
import Photos
import Synchronization
import Testing

/// An observer of everything that records its calls.
final class ChangeLog: NSObject, PHPhotoLibraryChangeObserver, PHPhotoLibraryAvailabilityObserver,
    PHPhotoLibraryPersistentChangesObserver, Sendable
{
    struct Calls {
        var changes: [PHChange] = []
        var count = 0
        var unavailable = 0
        var history = 0
        /// The maximum number of concurrent calls.
        var depth = 0
        var deepest = 0
    }

    let calls = Mutex(Calls())
    /// The closure that runs inside of `photoLibraryDidChange`.
    let body: (@Sendable (PHChange) -> Void)?
    private let keepsChanges: Bool

    init(keepsChanges: Bool = false, _ body: (@Sendable (PHChange) -> Void)? = nil) {
        self.keepsChanges = keepsChanges
        self.body = body
        super.init()
    }

    var count: Int { calls.withLock(\.count) }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        calls.withLock { calls in
            calls.depth += 1
            calls.deepest = max(calls.deepest, calls.depth)
        }
        body?(changeInstance)
        calls.withLock { calls in
            calls.depth -= 1
            calls.count += 1
            if keepsChanges { calls.changes.append(changeInstance) }
        }
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
