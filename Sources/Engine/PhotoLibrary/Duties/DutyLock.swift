internal import Foundation
internal import Glibc
internal import LibraryService
internal import Synchronization

/// The lock of the process that performs the background work of a library.
///
///     free ──flock──▶ held, with the holder's line in the file ──release, death──▶ free
///
/// 1. It is a flock on `database/duty`, which the kernel releases when the process dies.
/// 2. It protects no data: background work takes the writer lock like any change. It only prevents
///    several processes from doing the same work.
/// 3. The parts of one process share it, and it is released after the last of them.
package final class DutyLock: Sendable {
    /// The kind of process that holds the lock.
    package enum Holder: String, Sendable, CaseIterable {
        case daemon, embedded
    }

    private struct Held {
        var file: Descriptor
        var users: Int
    }

    private let path: String
    private let modes: BundleModes
    private let held = Mutex<Held?>(nil)

    init(bundle: LibraryBundle) {
        path = bundle.duty
        modes = BundleModes(root: bundle.root)
    }

    /// Indicates whether this process holds the lock through this object.
    package var isHeld: Bool { held.withLock { $0 != nil } }

    /// Acquires the lock unless another process has it; never waits.
    ///
    /// - Parameter holder: The kind of this process.
    /// - Returns: False if another process has the lock, or if the file cannot be opened. Each
    ///   success requires a `release`.
    package func acquire(as holder: Holder) -> Bool {
        held.withLock { held in
            if held != nil {
                held?.users += 1
                return true
            }
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
            let number = open(path, flags, BundleModes.newFile)
            guard number >= 0 else { return false }
            let file = Descriptor(owning: number)
            guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return false }
            modes.giveAway(number)
            Self.write("\(holder.rawValue) \(getpid())\n", to: number)
            held = Held(file: file, users: 1)
            return true
        }
    }

    /// Returns the time between two attempts of a process that waits for the lock.
    ///
    /// Programs hold it for at most 2 s, and another daemon for as long as it runs.
    ///
    /// - Parameter waited: The time since the first attempt.
    /// - Returns: The time after which to try again.
    package static func retryInterval(after waited: Duration) -> Duration {
        waited < .seconds(3) ? .milliseconds(50) : .seconds(1)
    }

    /// Decrements the lock's use count, and releases the lock when the count reaches zero.
    package func release() {
        held.withLock { state in
            state?.users -= 1
            guard let ended = state, ended.users == 0 else { return }
            ftruncate(ended.file.number, 0)
            // A child between fork and exec may have the descriptor for a moment.
            flock(ended.file.number, LOCK_UN)
            state = nil
        }
    }

    /// Returns the kind of the other process that holds a library's lock; nil if no other process
    /// holds it.
    ///
    /// The lock is not acquired to find out, so that no concurrent attempt to acquire it fails.
    package static func otherHolder(of bundle: LibraryBundle) -> Holder? {
        let locks = FileLocks(path: bundle.duty).locks()
        guard locks.contains(where: { $0.isFlock && $0.isExclusive }),
            case .success(let bytes) = FileSystem.contents(of: bundle.duty, limitInBytes: 64)
        else { return nil }
        let word = String(decoding: bytes, as: UTF8.self).split(separator: " ").first
        return word.flatMap { Holder(rawValue: String($0)) }
    }

    private static func write(_ line: String, to file: Int32) {
        ftruncate(file, 0)
        var line = line
        _ = line.withUTF8 { pwrite(file, $0.baseAddress, $0.count, 0) }
    }
}
