internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Takes away from this process all that reading a file does not need.
///
/// In this order: codecs are opened (by the caller), resources limited, privileges dropped, files
/// and network denied by Landlock, system calls by seccomp. What the kernel can't grant is an error
/// unless the host said otherwise.
struct Sandbox {
    /// The socket, the null device twice, the file or a recipe's sources, the pixels' memory, and a
    /// few to spare.
    private static let maximumDescriptors: UInt64 = 16
    /// Pictures of today's cameras need so much; with less, sound files would fail.
    private static let minimumMemory: Int64 = 1 << 30

    /// Why a process can't serve, in words for people.
    enum Failure: Error {
        /// The kernel can't confine it.
        case unconfined(String)
        /// It does not get what it needs; a clause.
        case resources(String)
    }

    static func enter(_ limits: WorkerLimits) throws(Failure) -> SandboxReport {
        // Landlock holds for the calling thread and the threads that it starts later.
        let threads = cphotos_thread_count()
        guard threads == 1 || limits.allowsUnconfined else {
            throw .unconfined("it has \(threads) threads before it is confined.")
        }
        try limitMemory(limits)
        // What gets too long to be written is an error in words.
        signal(SIGXFSZ, SIG_IGN)
        guard cphotos_drop_privileges() == 0 else {
            throw .unconfined("privileges could not be dropped (\(words(errno))).")
        }
        var report = SandboxReport(landlockABI: Int(cphotos_confine_files()), hasSeccomp: false)
        guard report.landlockABI > 0 || limits.allowsUnconfined else {
            throw .unconfined("the kernel has no Landlock, or it is switched off.")
        }
        let code = cphotos_confine_calls()
        report.hasSeccomp = code == 0
        guard report.hasSeccomp || limits.allowsUnconfined else {
            throw .unconfined("the kernel refuses a seccomp filter (\(words(code))).")
        }
        return report
    }

    private static func limitMemory(_ limits: WorkerLimits) throws(Failure) {
        let used = cphotos_address_space()
        let memory = Int64(limits.maximumMemoryInBytes)
        guard used >= 0, memory > 0, case (let wanted, false) = memory.addingReportingOverflow(used)
        else { throw .resources("the memory that it uses can't be told") }
        // The host's own limit may be lower: files that need more fail one by one.
        let allowed = cphotos_address_space_limit()
        let least = UInt64(used + min(memory, minimumMemory))
        guard allowed >= least else {
            throw .resources(
                "it needs \(least >> 20) MB of address space and may have \(allowed >> 20) MB"
            )
        }
        let total = min(UInt64(wanted), allowed)
        guard cphotos_limit_resources(total, maximumDescriptors, longestFile(limits)) == 0 else {
            throw .resources("memory could not be limited: \(words(errno))")
        }
    }

    /// All pixels that may be decoded, of four bytes each, and some room for encoded files; or the
    /// movie that is made.
    private static func longestFile(_ limits: WorkerLimits) -> UInt64 {
        if let length = limits.maximumOutputInBytes { return UInt64(max(0, length)) }
        let (bytes, overflow) = UInt64(max(0, limits.maximumPixels))
            .multipliedReportingOverflow(by: 4)
        return overflow ? .max : bytes &+ 64 << 20
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
