internal import CLinuxShim
internal import Foundation
internal import Glibc

/// How many files this process may have open.
enum OpenFileLimit {
    /// So many are enough for everything that is done at once.
    private static let comfortable: rlim_t = 2048

    /// Allows the process as many files as it may have, unless it has plenty.
    static func raise() {
        if current < comfortable { _ = cphotos_allow_more_files() }
    }

    /// How many files may be opened beside those that are open.
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
