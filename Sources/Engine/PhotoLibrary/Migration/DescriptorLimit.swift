internal import Foundation
internal import Glibc

/// The limit on the files that a batch of a migration stages, derived from the available file
/// descriptors.
enum DescriptorLimit {
    /// The highest limit, for a process with many available descriptors.
    private static let most = 600
    /// The lowest limit, which applies even if fewer descriptors are available.
    private static let least = 8

    /// The number of files at which the next batch ends: half of the descriptors that are
    /// available.
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
