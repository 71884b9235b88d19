internal import CLinuxShim
internal import Foundation
internal import Glibc

/// A namespace for the limit of open files of this process.
enum OpenFileLimit {
    /// The limit that suffices for all concurrent work, in descriptors.
    private static let comfortable: rlim_t = 2048

    /// Raises the limit to the permitted maximum if it is too low.
    static func raise() {
        if current < comfortable { _ = cphotos_allow_more_files() }
    }

    /// The number of files that this process can open in addition to those that are open.
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
