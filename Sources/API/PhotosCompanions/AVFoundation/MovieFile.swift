internal import Foundation
internal import Glibc
package import LibraryService
internal import Logging
internal import PhotoModel
internal import Synchronization
internal import WorkerClient

/// A movie file, with the properties that a worker process read from it.
///
/// Concurrent requests share one read.
package final class MovieFile: Sendable {
    /// The state of reading the file: not begun, waiting for a worker, done or failed.
    enum Knowledge: Sendable {
        case nothing
        /// A request is waiting for a worker.
        case awaited
        case facts(MovieFacts)
        case failure(AVError)
    }

    private struct State {
        var knowledge = Knowledge.nothing
        /// Indicates whether reading the file again may succeed after a failure.
        ///
        /// This is so if the file could not be opened, or if the cause of the worker's failure was
        /// not the file.
        var isWorthRetrying = false
    }

    let url: URL
    /// The name of the file.
    let name: String
    /// The descriptor of a file that was already open when this object was created.
    ///
    /// The file stays readable after it is moved or deleted.
    private let opened: Descriptor?
    private let state = Mutex(State())
    /// A lock that is held while a worker reads the file.
    private let reading = Mutex(())

    /// Creates a movie file without reading it.
    ///
    /// - Parameters:
    ///   - url: The file's URL.
    ///   - opened: The open file; nil to open it when it is needed.
    ///   - name: The name of an open file whose URL does not end with it.
    package init(url: URL, opened: Descriptor? = nil, name: String? = nil) {
        self.url = url
        self.name = name ?? url.lastPathComponent
        self.opened = opened
    }

    /// The state of reading the file: not begun, waiting for a worker, done or failed.
    ///
    /// Reading this property does not start to read the file.
    var knowledge: Knowledge { state.withLock { $0.knowledge } }

    /// Returns the properties that a worker process read from the file.
    ///
    /// Blocks until the file has been read.
    func facts() throws(AVError) -> MovieFacts {
        if let known = settled { return try known.get() }
        let answer = reading.withLock { _ -> Result<MovieFacts, AVError> in
            if let known = settled { return known }
            state.withLock { $0.knowledge = .awaited }
            let (answer, isWorthRetrying) = read()
            state.withLock { state in
                state.isWorthRetrying = isWorthRetrying
                state.knowledge =
                    switch answer {
                    case .success(let facts): .facts(facts)
                    case .failure(let error): .failure(error)
                    }
            }
            return answer
        }
        return try answer.get()
    }

    /// Opens the file for reading.
    func open() throws(AVError) -> Descriptor {
        if let opened { return opened }
        guard url.isFileURL else {
            throw AVError(
                .operationNotSupportedForAsset,
                "“\(url.absoluteString)” is not a file.",
                reason: "Movies can only be read from local files.",
                recovery: "Download it first, and create the URL with URL(fileURLWithPath:)."
            )
        }
        // O_NONBLOCK: opening a named pipe would otherwise block until it has a writer.
        let number = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else {
            throw AVError(
                .failedToLoadMediaData,
                "The movie “\(url.path)” cannot be opened.",
                reason: String(cString: strerror(errno)) + ".",
                recovery: "Check the path and the file's permissions.",
                path: url.path
            )
        }
        return Descriptor(owning: number)
    }

    private var settled: Result<MovieFacts, AVError>? {
        state.withLock { state in
            switch state.knowledge {
            case .facts(let facts): .success(facts)
            case .failure(let error) where !state.isWorthRetrying: .failure(error)
            case .failure, .nothing, .awaited: nil
            }
        }
    }

    private func read() -> (Result<MovieFacts, AVError>, isWorthRetrying: Bool) {
        let file: Descriptor
        do {
            file = try open()
        } catch {
            return (.failure(error), true)
        }
        do throws(WorkerError) {
            let facts = try withExtendedLifetime(file) { () throws(WorkerError) in
                try ForeignWorkers.pool.movieFacts(
                    of: file.number,
                    filename: name
                )
            }
            return (.success(facts), false)
        } catch {
            let isFinal = error.kind == .file || error.kind == .unsupported
            return (.failure(AVError(error, doing: "read", self)), !isFinal)
        }
    }
}

/// The pool of `photos-worker` processes that this process starts for its own work, without using a
/// library.
enum ForeignWorkers {
    static let pool = WorkerPool(
        configuration: WorkerPool.Configuration(),
        logger: Logger(label: "photos.workers")
    )
}

extension AVError {
    /// Creates an error from a worker's failure to process a movie.
    init(_ error: WorkerError, doing verb: String, _ file: MovieFile) {
        let name = file.name
        let code: Code =
            switch error.kind {
            case .unavailable: .unknown
            case .file: verb == "read" ? .fileFailedToParse : .exportFailed
            case .unsupported: .fileFormatNotRecognized
            case .cancelled: .operationCancelled
            case .output: .exportFailed
            }
        self.init(
            code,
            code == .operationCancelled
                ? "Work on “\(name)” was canceled." : "“\(name)” cannot be \(verb).",
            reason: error.message,
            recovery: error.recovery,
            path: file.url.isFileURL ? file.url.path : nil
        )
    }
}
