internal import Glibc
package import WorkerProtocol

extension WorkerPool {
    /// The minimum size of an entry that a dedicated worker extracts, in bytes.
    ///
    /// Other workers may not write files of this size.
    private static let largeEntry: Int64 = 1 << 30

    /// Lists a part of an archive's entries, and reads the JSON files among them.
    ///
    /// Blocks its thread until a worker is free and has answered.
    ///
    /// - Parameters:
    ///   - cursor: The beginning of the part.
    ///   - descriptor: The archive, which the caller keeps.
    /// - Returns: The part; for an archive that cannot be read, one with a problem.
    /// - Throws: `WorkerError`, only when no worker is available.
    package func archivePage(_ cursor: ArchiveCursor, of descriptor: Int32) throws(WorkerError)
        -> ArchivePage
    {
        switch try answer(to: .archivePage(cursor), on: descriptor) {
        case .success(.archivePage(let page)): page
        case .success(.failed(let reason)): ArchivePage(problem: reason)
        case .success: ArchivePage(problem: Self.confusion)
        case .failure(let failure): ArchivePage(problem: failure.reason)
        }
    }

    /// Reads a JSON file of Google Takeout.
    ///
    /// - Throws: `WorkerError`, only when no worker is available.
    package func takeoutReading(of descriptor: Int32) throws(WorkerError) -> TakeoutReading {
        switch try answer(to: .takeout, on: descriptor) {
        case .success(.takeout(let reading)): reading
        case .success(.failed(let reason)): .failed(reason: reason)
        case .success: .failed(reason: Self.confusion)
        case .failure(let failure): .failed(reason: failure.reason)
        }
    }

    /// The result of an extraction step.
    package enum ExtractionAnswer: Sendable {
        case progress(ArchiveProgress)
        /// The entry cannot be read; `reason` is text for users.
        case failed(reason: String)
        /// The output cannot be written; `reason` is a clause.
        case unwritable(reason: String)
    }

    /// Extracts the next bytes of an archive's entry into a file.
    ///
    /// - Parameters:
    ///   - request: The entry and the position.
    ///   - descriptor: The archive, which the caller keeps.
    ///   - output: A file that is open for reading and writing, which the caller keeps.
    /// - Returns: The progress, or the reason for a failure.
    /// - Throws: `WorkerError`, only when no worker is available.
    package func extract(
        _ request: ArchiveExtraction,
        from descriptor: Int32,
        to output: Int32
    ) throws(WorkerError) -> ExtractionAnswer {
        switch try answer(
            to: .extract(request),
            on: descriptor,
            output: output,
            outputLength: request.entry.size
        ) {
        case .success(.extracted(let progress)):
            guard progress.done > request.done || request.entry.size == 0,
                progress.done <= request.entry.size
            else { return .failed(reason: Self.confusion) }
            return .progress(progress)
        case .success(.failed(let reason)): return .failed(reason: reason)
        case .success(.unwritable(let reason)): return .unwritable(reason: reason)
        case .success: return .failed(reason: Self.confusion)
        case .failure(let failure): return .failed(reason: failure.reason)
        }
    }

    /// The error of a request that no worker answered.
    private struct NoAnswer: Error {
        var reason: String
    }

    private func answer(
        to request: WorkerRequest,
        on descriptor: Int32,
        output: Int32? = nil,
        outputLength: Int64 = 0
    ) throws(WorkerError) -> Result<WorkerReply, NoAnswer> {
        guard let readable = ReadOnlyDescriptor(descriptor) else {
            if let error = WorkerError.tooManyOpenFiles(errno) { throw error }
            let reason = String(cString: strerror(errno))
            return .failure(NoAnswer(reason: "It cannot be opened for reading: \(reason)."))
        }
        var limits: WorkerLimits?
        if outputLength > Self.largeEntry {
            limits = self.limits
            limits?.maximumOutputInBytes = Int(clamping: outputLength)
        }
        let outcome = try run(
            request,
            on: readable,
            output: output,
            limits: limits,
            timeLimit: configuration.timeLimit,
            cancellation: nil,
            priority: .reading,
            isGivenUp: { count, _ in count > 1 }
        )
        switch outcome {
        case .replied(let reply, let memory):
            if let memory { close(memory) }
            return .success(reply)
        case .failed(let reason, _): return .failure(NoAnswer(reason: reason))
        case .cancelled: return .failure(NoAnswer(reason: "It was canceled."))
        }
    }
}
