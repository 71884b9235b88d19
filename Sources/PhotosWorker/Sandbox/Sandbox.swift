internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Takes away from this process all that reading a file does not need.
///
/// In this order: codecs are opened (by the caller), resources limited, privileges dropped, files
/// and network denied by Landlock, system calls by seccomp. What the kernel can't grant is an error
/// unless the host said otherwise.
struct Sandbox {
    /// The socket, the null device twice, the file, the pixels' memory, and a few to spare.
    private static let maximumDescriptors: UInt64 = 16

    /// Why a process can't be confined, in words for people.
    struct Failure: Error {
        var reason: String
    }

    static func enter(_ limits: WorkerLimits) throws(Failure) -> SandboxReport {
        // Landlock holds for the calling thread and the threads that it starts later.
        let threads = ph_thread_count()
        guard threads == 1 || limits.allowsUnconfined else {
            throw Failure(reason: "it has \(threads) threads before it is confined.")
        }
        try limitMemory(limits)
        // A movie that gets too long is an error in words.
        if limits.maximumOutputInBytes != nil { signal(SIGXFSZ, SIG_IGN) }
        guard ph_drop_privileges() == 0 else {
            throw Failure(reason: "privileges could not be dropped (\(words(errno))).")
        }
        var report = SandboxReport(landlockABI: Int(ph_confine_files()), hasSeccomp: false)
        guard report.landlockABI > 0 || limits.allowsUnconfined else {
            throw Failure(reason: "the kernel has no Landlock, or it is switched off.")
        }
        let code = ph_confine_calls(limits.maximumOutputInBytes == nil ? 1 : 0)
        report.hasSeccomp = code == 0
        guard report.hasSeccomp || limits.allowsUnconfined else {
            throw Failure(reason: "the kernel refuses a seccomp filter (\(words(code))).")
        }
        return report
    }

    private static func limitMemory(_ limits: WorkerLimits) throws(Failure) {
        let used = ph_address_space()
        guard used >= 0, limits.maximumMemoryInBytes > 0,
            case (let total, false) = Int64(limits.maximumMemoryInBytes)
                .addingReportingOverflow(used),
            ph_limit_resources(UInt64(total), maximumDescriptors, longestFile(limits)) == 0
        else { throw Failure(reason: "memory could not be limited (\(words(errno))).") }
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
