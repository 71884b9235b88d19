internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Imports any number of files and folders into a library with constant memory.
///
/// Every regular file gets an outcome. Folders are walked without following links to folders and
/// without entering photo libraries. Files of one shot are imported together, the primary one
/// first.
///
/// ```swift
/// let summary = try LibraryImport(library: library, paths: [SourcePath("/media/card")])
///     .run { event in
///         if case .outcome(let outcome) = event { print(outcome.path, outcome.kind) }
///     }
/// ```
///
/// To resume an import that was stopped or killed, start it again. Files already in the library are
/// reported as duplicates, without being read when their file system metadata is unchanged.
public struct LibraryImport: Sendable {
    /// The options of an import.
    public struct Options: Sendable, Hashable {
        /// Indicates whether each source file is removed after the library has acknowledged it.
        ///
        /// A file is not removed if it changed during the import, was reached through a link, has
        /// its duplicate in Recently Deleted, or is on a mounted camera or phone. Files of a Google
        /// Takeout export are never removed.
        public var movesFiles = false
        /// Indicates whether files and bytes are counted while the import runs, so that the
        /// progress has a total.
        public var countsAhead = false
        /// The author recorded in the library's history; nil for the program's name.
        public var author: String?

        /// Creates options that neither remove the source files nor count files ahead.
        public init() {}
    }

    /// Returns the Google Takeout exports among the given paths and inside the given folders.
    ///
    /// Their photos are imported with the values in their JSON files. Exports are recognized by
    /// file names, without reading the files. A folder with other files is searched two levels
    /// deep.
    public static func takeouts(among paths: [SourcePath]) -> [SourcePath] {
        TakeoutRecognizer(paths).sources.map(\.path)
    }

    /// Returns the paths that are not Google Takeout exports, to be imported as plain files and
    /// folders.
    ///
    /// A folder that contains archives of an export is replaced by its other entries. A folder that
    /// contains an export among other files stays in the result, and the export is skipped when the
    /// folder is imported.
    public static func filesAndFolders(among paths: [SourcePath]) -> [SourcePath] {
        TakeoutRecognizer(paths).others
    }

    /// Returns the file system type of the mount that contains a path; nil if the mount is not a
    /// camera or phone.
    ///
    /// An example is `fuse.gvfsd-fuse`. Files on such mounts are imported like others, but never
    /// removed.
    public static func deviceMountType(of path: SourcePath) -> String? {
        DeviceMount(of: path)?.type
    }

    private let library: PhotoLibraryBundle
    private let paths: [SourcePath]
    private let options: Options
    private let control: OperationControl

    /// Creates an import; call ``run(progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - library: The target library.
    ///   - paths: Files and folders, in order. Symbolic links given here are followed.
    ///   - options: The options of the import.
    ///   - control: Stops the import from another thread.
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

    /// Imports until every file has an outcome or the import is stopped.
    ///
    /// The call uses the calling thread and two others.
    ///
    /// - Parameters:
    ///   - progress: Called after each batch, on the calling thread. An error that it throws ends
    ///     the import and is rethrown.
    ///   - handler: Called on the calling thread for each event, in order, as soon as it is
    ///     durable. An error that it throws ends the import and is rethrown.
    /// - Returns: The result in numbers.
    /// - Throws: `PHPhotosError` when the import cannot continue: the volume is full, or the
    ///   library is busy or read-only. Outcomes reported before remain valid; the rest was not
    ///   acknowledged. The failure of a single file is an outcome, not an error.
    public func run(
        progress: (ImportProgress) throws -> Void = { _ in },
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        try library.withService(author: options.author) { service in
            let session = try edge { () throws(LibraryError) in
                try service.beginImport(ImportSessionRequest()).session
            }
            // All reported outcomes are committed; the next writer clears any leftovers.
            defer { try? service.endImport(ImportEndRequest(session: session)) }
            return try run(service, session: session, progress: progress, handler: handler)
        }
    }

    private func run(
        _ service: any LibraryService,
        session: Int64,
        progress: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        ImportProcess.prepare()
        let found = TakeoutRecognizer(paths)
        var summary = ImportSummary()
        var done = ImportProgress()
        if !found.others.isEmpty || found.sources.isEmpty {
            summary = try walk(found.others, excluding: found.nested, service, session: session) {
                done = $0
                try progress($0)
            } handler: {
                try handler($0)
            }
        }
        guard !found.sources.isEmpty, !summary.wasStopped else { return summary }
        // The walk is over, so that its files are all there are.
        (done.totalFiles, done.totalBytes) = (done.files, done.bytes)
        var run = TakeoutRun(
            service: service,
            session: session,
            control: control,
            progress: done
        )
        let folders = try run.run(found.sources, progress: progress, handler: handler)
        summary.add(run.summary)
        guard !folders.isEmpty else { return summary }
        summary.add(try walk(folders, service, session: session, progress, handler: handler))
        return summary
    }

    /// Imports files and folders.
    private func walk(
        _ paths: [SourcePath],
        excluding excluded: Set<SourcePath> = [],
        _ service: any LibraryService,
        session: Int64,
        _ progress: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        let counter = options.countsAhead ? ImportCounter() : nil
        counter?.start(paths, excluding: excluded)
        defer { counter?.stop() }
        let limits = ImportLimits(availableDescriptors: OpenFileLimit.available)
        let source = ImportBatchSource(
            walker: FolderWalker(
                roots: paths,
                excluding: excluded,
                removesSources: options.movesFiles
            ),
            service: service,
            session: session,
            limits: limits,
            // Moving removes files, so it compares their bytes instead of relying on metadata.
            asksForKnownFiles: !options.movesFiles
        )
        var pipeline = ImportPipeline(
            source: source,
            limits: limits,
            service: service,
            session: session,
            verifiesDuplicates: options.movesFiles,
            removesSources: options.movesFiles && !library.isPlan,
            control: control,
            counter: counter,
            vanished: VanishedFolders(roots: paths)
        )
        return try pipeline.run(progress: progress, handler: handler)
    }
}

extension ImportSummary {
    /// Adds the result of another part of the same import.
    fileprivate mutating func add(_ other: ImportSummary) {
        counts.merge(other.counts, uniquingKeysWith: +)
        bytes = bytes.addingSaturated(other.bytes)
        foundFiles += other.foundFiles
        notes += other.notes
        wasStopped = wasStopped || other.wasStopped
        vanishedFolders += other.vanishedFolders
    }
}
