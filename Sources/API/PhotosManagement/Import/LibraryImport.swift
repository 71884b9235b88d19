internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Imports files and folders into a library, as many as there are, in flat memory.
///
/// Every regular file gets an outcome. Folders are walked without following links to folders and
/// without entering photo libraries. Files of one shot are imported together, the leading one first.
///
/// ```swift
/// let summary = try LibraryImport(library: library, paths: [SourcePath("/media/card")])
///     .run { event in
///         if case .outcome(let outcome) = event { print(outcome.path, outcome.kind) }
///     }
/// ```
///
/// An import that was stopped, or killed, is continued by starting it again: what is in the library
/// is told as a duplicate, without reading it when the file system says that it is the same file.
public struct LibraryImport: Sendable {
    /// How to import.
    public struct Options: Sendable, Hashable {
        /// Removes each file once the library has acknowledged it.
        ///
        /// Not when it changed meanwhile, is reached by a link, or has its duplicate in Recently Deleted.
        public var movesFiles = false
        /// Counts files and bytes ahead of the import, for a progress that knows its end.
        public var countsAhead = false
        /// Who imports, for the library's history; nil takes the program's name.
        public var author: String?

        /// Copies, without counting.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let paths: [SourcePath]
    private let options: Options
    private let control: OperationControl

    /// Prepares an import; nothing happens before ``run(progress:handler:)``.
    ///
    /// - Parameters:
    ///   - library: Where to.
    ///   - paths: Files and folders, in order. A link given here is followed.
    ///   - options: How.
    ///   - control: Stops it from elsewhere.
    public init(
        library: PhotoLibraryBundle,
        paths: [SourcePath],
        options: Options = Options(),
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.paths = paths
        self.options = options
        self.control = control
    }

    /// Imports on this thread and two others, until everything has an outcome or it is stopped.
    ///
    /// - Parameters:
    ///   - progress: Told after each batch, on this thread; what it throws ends the import too.
    ///   - handler: Told of each event in order, on this thread, as soon as it is durable. What it
    ///     throws ends the import and is thrown on.
    /// - Returns: What was done, in numbers.
    /// - Throws: `PHPhotosError` when the import cannot go on: the volume is full, the library is busy
    ///   or can only be read. What was told before stays; the rest was not acknowledged. A file's own
    ///   failure is not an error but its outcome.
    public func run(
        progress: (ImportProgress) throws -> Void = { _ in },
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        let service = library.service
        let request = ImportSessionRequest(
            author: options.author ?? ProcessInfo.processInfo.processName
        )
        let session = try edge { () throws(LibraryError) in
            try service.beginImport(request).session
        }
        let counter = options.countsAhead ? ImportCounter() : nil
        counter?.start(paths)
        defer { counter?.stop() }
        OpenFileLimit.raise()
        let limits = ImportLimits(availableDescriptors: OpenFileLimit.available)
        let source = ImportBatchSource(
            walker: FolderWalker(roots: paths, removesSources: options.movesFiles),
            service: service,
            session: session,
            limits: limits,
            // Moving removes files, so it goes by their bytes and not by what is said of them.
            asksForKnownFiles: !options.movesFiles
        )
        var pipeline = ImportPipeline(
            source: source,
            limits: limits,
            service: service,
            session: session,
            removesSources: options.movesFiles,
            control: control,
            counter: counter
        )
        let result = Result { try pipeline.run(progress: progress, handler: handler) }
        // Everything that was told is committed; what is left is cleared by the next writer.
        try? service.endImport(ImportEndRequest(session: session))
        return try result.get()
    }
}
