internal import CSandboxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// Removes from this process all access that reading a file does not require.
///
/// The caller opens the codecs first. Then memory and file sizes are limited, privileges are
/// dropped, Landlock denies access to files and the network, and seccomp denies system calls. A
/// protection that the kernel does not provide is an error unless the host permits its absence.
struct Sandbox {
    /// The maximum number of open descriptors: the socket, two for the null device, the file or a
    /// recipe's sources, the memory for pixels, and a few more.
    private static let maximumDescriptors = UInt64(PictureRendering.maximumSources + 8)
    /// The minimum memory in bytes; with less, images from current cameras could not be decoded.
    private static let minimumMemory: Int64 = 1 << 30

    /// The reason why a process cannot serve requests, as text for users.
    enum Failure: Error {
        /// The kernel cannot sandbox the process.
        case unconfined(String)
        /// The process lacks resources; the text is a clause.
        case resources(String)
    }

    static func enter(_ limits: WorkerLimits) throws(Failure) -> SandboxReport {
        // Landlock applies to the calling thread and to threads that it starts later.
        let threads = cphotos_thread_count()
        guard threads == 1 || limits.allowsUnconfined else {
            throw .unconfined("it has \(threads) threads before it is confined.")
        }
        try limitMemory(limits)
        // A write beyond the file size limit then fails with an error instead of a signal.
        signal(SIGXFSZ, SIG_IGN)
        guard cphotos_drop_privileges() == 0 else {
            throw .unconfined("privileges cannot be dropped (\(words(errno))).")
        }
        var report = SandboxReport(landlockABI: Int(cphotos_confine_files()), hasSeccomp: false)
        guard report.landlockABI > 0 || limits.allowsUnconfined else {
            throw .unconfined("the kernel has no Landlock, or it is disabled.")
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
        else { throw .resources("its memory usage is unknown") }
        // The host's own limit may be lower; files that need more then fail one by one.
        let allowed = cphotos_address_space_limit()
        let least = UInt64(used + min(memory, minimumMemory))
        guard allowed >= least else {
            throw .resources(
                "it needs \(least >> 20) MB of address space, but is limited to \(allowed >> 20) MB"
            )
        }
        let total = min(UInt64(wanted), allowed)
        guard cphotos_limit_resources(total, maximumDescriptors, longestFile(limits)) == 0 else {
            throw .resources("memory cannot be limited: \(words(errno))")
        }
    }

    /// Returns the maximum size in bytes of a file that the process may write.
    ///
    /// This is the maximum size of a converted movie. Without a conversion, it is four bytes for
    /// each of the maximum number of pixels, and some space for encoded files.
    private static func longestFile(_ limits: WorkerLimits) -> UInt64 {
        if let length = limits.maximumOutputInBytes { return UInt64(max(0, length)) }
        let (bytes, overflow) = UInt64(max(0, limits.maximumPixels))
            .multipliedReportingOverflow(by: 4)
        return overflow ? .max : bytes &+ 64 << 20
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
