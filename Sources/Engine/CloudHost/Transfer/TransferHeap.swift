internal import CLinuxShim
internal import Synchronization

/// Lets the process keep freed buffers while files are encrypted and decrypted.
///
/// A daemon otherwise returns each block of a frame's size at once; the system clears its pages
/// when it gives them out again, which takes longer than the encryption of the frame.
final class TransferHeap: Sendable {
    private static let users = Mutex(0)

    init() {
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
