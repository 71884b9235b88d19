import Glibc

/// Checks the address space limit of this process.
enum AddressSpace {
    /// The minimum size of the address space, in bytes.
    ///
    /// With less, threads cannot be started, and failed allocations crash or block the process.
    private static let least: rlim_t = 1 << 30

    /// Throws an error if the limit of the address space is too low to run a command.
    ///
    /// - Throws: `TooLittle`.
    static func check() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur < least
        else { return }
        throw TooLittle(megabytes: limit.rlim_cur >> 20, least: least >> 20)
    }

    /// The error for an address space limit that is too low.
    struct TooLittle: Error {
        var megabytes: rlim_t
        var least: rlim_t

        var message: String {
            "The address space is limited to \(megabytes) MB (`ulimit -v`), but photos needs "
                + "\(least) MB. Raise the limit, for example with `ulimit -v unlimited`, and try "
                + "again."
        }
    }
}
