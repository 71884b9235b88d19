import Glibc

/// The limit of this process's address space.
enum AddressSpace {
    /// With less, threads can't be started and allocations fail in ways that end the process, or leave
    /// it waiting.
    private static let least: rlim_t = 1 << 30

    /// Checks that there is enough to run a verb.
    ///
    /// - Throws: `TooLittle`.
    static func check() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur < least
        else { return }
        throw TooLittle(megabytes: limit.rlim_cur >> 20, least: least >> 20)
    }

    /// There is not enough.
    struct TooLittle: Error {
        var megabytes: rlim_t
        var least: rlim_t

        var message: String {
            "Programs may have \(megabytes) MB of address space here (`ulimit -v`), and photos needs "
                + "\(least) MB. Raise that limit, for example with `ulimit -v unlimited`, and try "
                + "again."
        }
    }
}
