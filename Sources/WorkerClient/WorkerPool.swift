package import WorkerProtocol

/// Worker processes, started when needed, kept warm, replaced after a crash.
///
/// Thread-safe. Calls block their thread until a worker is free and has answered.
package final class WorkerPool: Sendable {
    package struct Configuration: Sendable {
        /// Path of `photos-worker`; nil searches `$PHOTOS_WORKER`, beside the running program, and
        /// `<prefix>/libexec/swift-photos/`.
        package var executable: String?
        /// How many workers run at once at most.
        package var maximumWorkers: Int
        package var limits: WorkerLimits
        /// Wall-clock time after which a silent worker is killed.
        package var timeLimit: Duration

        package init(
            executable: String? = nil,
            maximumWorkers: Int = 2,
            limits: WorkerLimits = .standard,
            timeLimit: Duration = .seconds(120)
        ) {
            self.executable = executable
            self.maximumWorkers = maximumWorkers
            self.limits = limits
            self.timeLimit = timeLimit
        }
    }

    package let configuration: Configuration

    package init(configuration: Configuration) {
        self.configuration = configuration
    }

    /// Reads the facts of the file behind `descriptor`, which stays the caller's and may be at any
    /// offset.
    ///
    /// - Throws: `WorkerError`, only when no worker could be had: missing, of another version, not to
    ///   be confined here. A file that crashes or hangs a worker is an answer (`failed`), and is not
    ///   tried again with this pool (it remembers device, inode, size and time).
    package func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError)
        -> ProbeAnswer
    {
        throw WorkerError(message: "The worker is not there yet.")
    }
}

/// What a probe gave.
package enum ProbeAnswer: Sendable {
    case facts(MediaFacts, firstRendition: PixelMemory?)
    case unsupported(reason: String)
    case failed(reason: String)
}

/// Why no worker can be had, and what helps.
package struct WorkerError: Error, Sendable {
    package var message: String
    package var recovery: String?
    package init(message: String, recovery: String? = nil) {
        self.message = message
        self.recovery = recovery
    }
}

/// Pixels that a worker answered with, mapped read-only from sealed memory; unmapped with the last
/// reference.
package final class PixelMemory: Sendable {
    package let description: PixelBufferDescription
    init(description: PixelBufferDescription) { self.description = description }

    /// Runs `body` with the bytes: `bytesPerRow` × height.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
