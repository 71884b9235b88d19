internal import Foundation
internal import Glibc

/// The number of files that a batch of a migration may stage at once.
enum DescriptorLimit {
    /// The maximum number of files of a batch, in a process with many available descriptors.
    private static let most = 600
    /// The minimum number; an asset with more files is a batch of its own.
    private static let least = 8

    /// The maximum number of files in the next batch: half of the descriptors that are available.
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
