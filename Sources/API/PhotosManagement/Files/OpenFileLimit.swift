internal import CLinuxShim
internal import Foundation
internal import Glibc

/// A namespace for the limit of open files of this process.
enum OpenFileLimit {
    /// The number of descriptors that suffices for all concurrent work.
    private static let comfortable: rlim_t = 2048

    /// Raises the limit of open files to the permitted maximum if it is below `comfortable`.
    static func raise() {
        if current < comfortable { _ = cphotos_allow_more_files() }
    }

    /// The number of additional files that this process can open now.
    static var available: Int {
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return Int(min(current, rlim_t(Int32.max))) - (open ?? 64)
    }

    private static var current: rlim_t {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return comfortable
        }
        return limit.rlim_cur
    }
}
