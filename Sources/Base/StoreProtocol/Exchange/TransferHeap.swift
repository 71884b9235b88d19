internal import CLinuxShim
internal import Synchronization

/// An object that makes the process retain freed memory while files are transferred.
///
/// Daemon and `photos-cloud` otherwise return each freed buffer of a frame's size to the system at
/// once. The system clears the pages when they are allocated again, which takes longer than the
/// encryption of the frame.
package final class TransferHeap: Sendable {
    private static let users = Mutex(0)

    package init() {
        Self.users.withLock { users in
            users += 1
            if users == 1 { cphotos_keep_large_blocks() }
        }
    }

    deinit {
        Self.users.withLock { users in
            users -= 1
            guard users == 0 else { return }
            cphotos_keep_heap_small()
            cphotos_trim_heap()
        }
    }
}
