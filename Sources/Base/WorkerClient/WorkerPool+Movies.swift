internal import Dispatch
internal import Glibc
package import PhotoModel
internal import WorkerProtocol

extension WorkerPool {
    /// The constant part of the maximum output size in bytes, added to `outputPerInput` times the
    /// input size.
    ///
    /// It allows for the index, and for video that compresses worse than before.
    private static let outputToSpare = 4 << 30
    private static let outputPerInput = 8

    /// Reads all metadata of a movie and of its tracks.
    ///
    /// Blocks its thread until a worker is free and has answered.
    ///
    /// - Parameters:
    ///   - descriptor: The movie, which the caller keeps and which may be at any offset.
    ///   - filename: The movie's name, for messages.
    /// - Returns: The metadata as written in the file.
    /// - Throws: `WorkerError`: `unavailable` when no worker is available, `unsupported` when the
    ///   file is not a movie, `file` when it is damaged.
    package func movieFacts(
        of descriptor: Int32,
        filename: String
    ) throws(WorkerError) -> MovieFacts {
        switch try run(.movieFacts, on: descriptor, cancellation: nil) {
        case .failed(let reason, _): throw .movie(.file, filename, reason)
        case .cancelled: throw .cancelledMovie(filename)
        case .replied(let reply, let memory):
            if let memory { close(memory) }
            switch reply {
            case .movieFacts(let facts): return facts
            case .unsupported(let reason): throw .movie(.unsupported, filename, reason)
            case .failed(let reason): throw .movie(.file, filename, reason)
            default: throw .movie(.file, filename, Self.confusion)
            }
        }
    }

    /// Converts a movie to another movie in a dedicated worker.
    ///
    /// Blocks its thread until the conversion ends. As many conversions run at once as the pool
    /// allows workers. A conversion fails when it makes no progress within the pool's time limit;
    /// its total duration is not limited.
    ///
    /// - Parameters:
    ///   - descriptor: The movie, which the caller keeps and which may be at any offset.
    ///   - filename: The movie's name, for messages.
    ///   - output: An empty file, open for reading and writing and not for appending, which the
    ///     caller keeps. After an error its content is unusable.
    ///   - conversion: The parameters of the conversion.
    ///   - cancellation: Cancels the conversion from another thread, within half a second.
    ///   - progress: Called on this thread with the progress, 0...1, never decreasing, and with 1
    ///     at the end of a successful conversion.
    ///   - draw: Called on this thread with each frame in order, if the conversion has `isShown`.
    /// - Returns: A report on the result.
    /// - Throws: `WorkerError`: `unavailable` when no worker is available, `unsupported` and `file`
    ///   when the movie cannot be converted, `output` when the file cannot be written, `cancelled`.
    package func convertMovie(
        from descriptor: Int32,
        filename: String,
        into output: Int32,
        _ conversion: MovieConversion,
        cancellation: WorkCancellation? = nil,
        progress: @Sendable (Double) -> Void = { _ in },
        draw: FrameDrawing = { _ in .unchanged }
    ) throws(WorkerError) -> MovieConversionReport {
        try checkOutput(output)
        guard let readable = ReadOnlyDescriptor(descriptor) else {
            throw .movie(
                .file,
                filename,
                "It cannot be opened for reading: \(String(cString: strerror(errno)))."
            )
        }
        try waitForConversionSlot(cancellation, filename)
        var isSlotHandedOver = false
        defer { if !isSlotHandedOver { conversionSlots.signal() } }
        // A dedicated worker reads no other file, and only it may write that much.
        var limits = self.limits
        limits.maximumOutputInBytes = Self.maximumOutput(readable.number, conversion)
        let worker = try startConverter(limits: limits)
        let outcome = withExtendedLifetime(readable) {
            worker.convert(
                conversion,
                input: readable.number,
                output: output,
                timeLimit: configuration.timeLimit,
                cancellation: cancellation,
                progress: progress,
                draw: draw
            )
        }
        switch outcome {
        case .lost(let loss) where cancellation?.isCancelled == true:
            log.ended(worker, loss, isCancelled: true)
            if !loss.isKill { forkedWorkers.endServer(of: worker) }
            throw .cancelledMovie(filename)
        case .lost(let loss):
            log.ended(worker, loss, isCancelled: false)
            forkedWorkers.endServer(of: worker)
            throw .movie(.file, filename, loss.reason)
        case .answered(let reply, _):
            isSlotHandedOver = true
            worker.endWithoutWaiting { [conversionSlots] in conversionSlots.signal() }
            switch reply {
            case .converted(let report):
                guard Self.length(of: output) == report.bytes, report.bytes > 0 else {
                    throw .movie(
                        .output,
                        filename,
                        "The converted movie was not written completely."
                    )
                }
                return report
            case .cancelled: throw .cancelledMovie(filename)
            case .unsupported(let reason): throw .movie(.unsupported, filename, reason)
            case .failed(let reason): throw .movie(.file, filename, reason)
            case .unwritable(let reason): throw .movie(.output, filename, reason)
            default: throw .movie(.file, filename, Self.confusion)
            }
        }
    }

    // MARK: - Preparation

    private func checkOutput(_ output: Int32) throws(WorkerError) {
        var status = stat()
        let flags = fcntl(output, F_GETFL)
        guard flags >= 0, fstat(output, &status) == 0 else {
            throw WorkerError(
                kind: .output,
                message: "The output file cannot be used: \(String(cString: strerror(errno)))."
            )
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size == 0,
            flags & O_ACCMODE == O_RDWR, flags & O_APPEND == 0
        else {
            throw WorkerError(
                kind: .output,
                message: "The output file must be an empty regular file, open for reading and "
                    + "writing, but not for appending.",
                recovery: "Open a new file with O_RDWR | O_CREAT | O_EXCL."
            )
        }
    }

    private func waitForConversionSlot(
        _ cancellation: WorkCancellation?,
        _ filename: String
    ) throws(WorkerError) {
        guard let cancellation else {
            conversionSlots.wait()
            return
        }
        while conversionSlots.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            if cancellation.isCancelled { throw .cancelledMovie(filename) }
        }
        if cancellation.isCancelled {
            conversionSlots.signal()
            throw .cancelledMovie(filename)
        }
    }

    private static func length(of descriptor: Int32) -> Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
    }

    /// Returns the maximum output size in bytes, which the kernel enforces for the worker.
    private static func maximumOutput(_ input: Int32, _ conversion: MovieConversion) -> Int {
        if let bytes = conversion.maximumBytes, bytes > 0 { return Int(clamping: bytes) }
        let (product, overflow) = Int(max(0, length(of: input)))
            .multipliedReportingOverflow(by: outputPerInput)
        return overflow || product > Int.max - outputToSpare ? .max : product + outputToSpare
    }
}

extension WorkerError {
    static func movie(_ kind: Kind, _ filename: String, _ reason: String) -> WorkerError {
        WorkerError(kind: kind, message: "\(filename): \(reason)")
    }

    static func cancelledMovie(_ filename: String) -> WorkerError {
        WorkerError(kind: .cancelled, message: "\(filename): The conversion was canceled.")
    }
}
