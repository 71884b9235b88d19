internal import Dispatch
internal import Foundation

/// Blocks of a program that occupy the threads of Dispatch's global and concurrent queues.
///
/// Use it only in a process of its own, such as that of an exit test, since the threads of Swift
/// concurrency are of this pool, too.
package enum OccupiedPool {
    /// The number of blocks for each pool, to which Dispatch adds a thread a second while all of
    /// its threads wait.
    private static let count = 100 + 2 * ProcessInfo.processInfo.activeProcessorCount
    /// The qualities of service, each of which has a pool.
    private static let classes: [DispatchQoS.QoSClass] = [.utility, .default, .userInitiated]

    /// Makes a request in each of many blocks, which wait until it ends.
    ///
    /// - Parameter request: Makes a request that calls the given closure when it ends.
    /// - Returns: Whether all requests ended within 30 seconds.
    package static func endsInEachBlock(
        _ request: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
    ) -> Bool {
        let group = DispatchGroup()
        for qos in classes {
            for _ in 0..<count {
                DispatchQueue.global(qos: qos).async(group: group) {
                    let end = DispatchSemaphore(value: 0)
                    request { end.signal() }
                    end.wait()
                }
            }
        }
        return group.wait(timeout: .now() + 30) == .success
    }

    /// Occupies the threads until the process ends.
    package static func occupy() {
        let never = DispatchSemaphore(value: 0)
        for qos in classes {
            for _ in 0..<count { DispatchQueue.global(qos: qos).async { never.wait() } }
        }
    }

    /// Makes a request and waits until it ends.
    ///
    /// - Parameter request: Makes a request that calls the given closure when it ends.
    /// - Returns: Whether it ended within 30 seconds.
    package static func ends(
        _ request: (_ done: @escaping @Sendable () -> Void) -> Void
    ) -> Bool {
        let end = DispatchSemaphore(value: 0)
        request { end.signal() }
        return end.wait(timeout: .now() + 30) == .success
    }
}
