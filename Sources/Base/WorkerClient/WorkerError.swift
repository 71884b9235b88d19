internal import Glibc

/// A worker failure with a recovery suggestion.
package struct WorkerError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No worker is available.
        case unavailable
        /// The file is damaged or over a limit, or cannot be converted as requested.
        case file
        /// The file is not a supported medium.
        case unsupported
        /// The caller canceled the request.
        case cancelled
        /// The output cannot be written: the volume is full, or the file is unsuitable.
        case output
    }

    package var kind: Kind
    package var message: String
    package var recovery: String?
    /// Indicates whether the limit of open files of this process or of the system was reached.
    package var isShortOfDescriptors: Bool
    /// Indicates whether the system terminated the worker during startup, so a retry may succeed.
    var isWorthAnotherTry = false

    package init(
        kind: Kind = .unavailable,
        message: String,
        recovery: String? = nil,
        isShortOfDescriptors: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.recovery = recovery
        self.isShortOfDescriptors = isShortOfDescriptors
    }
}

extension WorkerError {
    static func missing(searched: [String]) -> WorkerError {
        WorkerError(
            message: "photos-worker, which reads photos and movies, was not found. Searched: "
                + searched.joined(separator: ", ") + ".",
            recovery: "Run `make install` in the source folder of swift-photos, or set "
                + "PHOTOS_WORKER to the path of photos-worker."
        )
    }

    static func notStarted(_ path: String, reason: String) -> WorkerError {
        let message = "photos-worker at \(path) cannot be started: \(reason)."
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur < rlim_t(Int64.max)
        {
            return WorkerError(
                message: message,
                recovery: "The address space is limited to \(limit.rlim_cur >> 20) MB "
                    + "(`ulimit -v`). Raise the limit, for example with `ulimit -v unlimited`, "
                    + "and try again."
            )
        }
        return WorkerError(
            message: message,
            recovery: "Run `\(path) --version` to see what is missing, or reinstall it with "
                + "`make install`."
        )
    }

    /// Returns the error for an errno that reports too many open files; nil for any other errno.
    static func tooManyOpenFiles(_ number: Int32) -> WorkerError? {
        guard number == EMFILE || number == ENFILE else { return nil }
        return WorkerError(
            message: "photos-worker cannot be used: \(String(cString: strerror(number))).",
            recovery: "Allow more open files (ulimit -n 1024), or quit other programs, and try "
                + "again.",
            isShortOfDescriptors: true
        )
    }

    static func endedBySystem(_ path: String, signal: Int32) -> WorkerError {
        var error = WorkerError(
            message: "photos-worker at \(path) was ended by the system or another program "
                + "(\(WorkerLoss.name(ofSignal: signal))) before it was ready.",
            recovery: WorkerLoss.advice
        )
        error.isWorthAnotherTry = true
        return error
    }

    static func otherVersion(_ path: String, found: Int, wanted: Int) -> WorkerError {
        WorkerError(
            message: "photos-worker at \(path) uses version \(found) of the protocol, but this "
                + "program uses \(wanted).",
            recovery: "Install the photos-worker that belongs to this program: run `make install` "
                + "in its source folder, or set PHOTOS_WORKER."
        )
    }

    static func notConfined(_ reason: String) -> WorkerError {
        WorkerError(
            message: "photos-worker refuses to read untrusted files on this system: \(reason)",
            recovery: "Use a kernel with Landlock (5.13 or newer) and seccomp. To continue without "
                + "this protection, set PHOTOS_WORKER_UNCONFINED=1."
        )
    }
}
