internal import Foundation
internal import Glibc

/// The limit on the number of files that a migration stages per batch.
///
/// It is derived from the number of available file descriptors.
enum DescriptorLimit {
    /// The upper bound of `filesPerBatch`, for a process with many available descriptors.
    private static let most = 600
    /// The lower bound of `filesPerBatch`, which applies even if fewer descriptors are available.
    private static let least = 8

    /// The number of staged files at which a batch ends: half of the available descriptors, but at
    /// least `least` and at most `most`.
    static var filesPerBatch: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return least
        }
        let used = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let available = Int(min(limit.rlim_cur, rlim_t(Int32.max))) - (used ?? 64)
        return max(least, min(most, available / 2))
    }
}
