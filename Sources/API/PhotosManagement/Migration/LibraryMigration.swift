internal import Foundation
internal import Glibc
internal import ImportSources
internal import LibraryService
internal import PhotoModel

/// Imports a library of Apple's Photos, or an export of a library, with its albums, edits and
/// metadata.
///
/// The source is only read. A confined process reads a copy of its database and the write-ahead
/// log, or of the file `library.jsonl` of an export. Identifiers are kept. Items that were imported
/// before are skipped without reading their files, so the same migration can continue after an
/// interruption and can add items that are new at the source. Values that were changed in this
/// library are never overwritten.
///
/// ```swift
/// let migration = LibraryMigration(
///     library: library,
///     source: SourcePath("/media/disk/Photos Library.photoslibrary")
/// )
/// let summary = try migration.run { item in print(item.outcome, item.path ?? "") }
/// ```
public struct LibraryMigration: Sendable {
    /// The options of a migration.
    public struct Options: Sendable, Hashable {
        /// Indicates whether the migration only plans and reports, without copying anything.
        public var isDryRun = false
        /// Indicates whether the assets of shared albums are imported.
        ///
        /// These assets are reduced copies of other people's photos.
        public var includesSharedAlbums = false
        /// Indicates whether assets with a missing original are imported as their largest reduced
        /// version.
        ///
        /// Such an asset keeps its place in albums. A later migration with the original replaces
        /// the reduced version.
        public var includesProxies = false
        /// The folders in which to find referenced originals, keyed by the name of their volume.
        public var volumes: [String: SourcePath] = [:]
        /// The author recorded in the library's history; nil for the program's name.
        public var author: String?

        /// Creates options for a migration without shared albums and without reduced versions.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let source: SourcePath
    private let options: Options
    private let control: OperationControl

    /// Creates a migration; call ``run(start:progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - library: The target library.
    ///   - source: The folder of the source.
    ///   - options: The options of the migration.
    ///   - control: Stops the migration from another thread, after the present batch.
    public init(
        library: PhotoLibraryBundle,
        source: SourcePath,
        options: Options = Options(),
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.source = source
        self.options = options
        self.control = control
    }

    /// Returns the path of an item's file on this machine, or the expected path of a missing file.
    ///
    /// - Parameter item: An item of this migration's report.
    /// - Returns: The path, or nil if it is unknown, as for a file on a volume whose folder is not
    ///   among ``Options/volumes``.
    public func path(of item: MigratedItem) -> String? {
        guard let path = item.path else { return nil }
        guard let volume = item.volume else { return source.description + "/" + path }
        return options.volumes[volume].map { $0.description + "/" + path }
    }

    /// Migrates on the calling thread until every item has an outcome or the migration is stopped.
    ///
    /// - Parameters:
    ///   - start: Called once the source was opened and planned, before anything is copied.
    ///   - progress: Called after each batch.
    ///   - handler: Called for each item of the report, in order, as soon as it is durable.
    /// - Returns: The totals. The counts of outcomes add up to the number of assets unless the
    ///   migration was stopped.
    /// - Throws: `PHPhotosError` when the migration cannot begin or continue: the source is no
    ///   library, damaged or in use, or the volume is full. Items reported before are kept. Errors
    ///   thrown by the closures end the migration and are rethrown.
    public func run(
        start: (MigrationStart) throws -> Void = { _ in },
        progress: (MigrationSummary) throws -> Void = { _ in },
        handler: (MigratedItem) throws -> Void
    ) throws -> MigrationSummary {
        try library.withService(author: options.author) { service in
            try run(service, start: start, progress: progress, handler: handler)
        }
    }

    private func run(
        _ service: any LibraryService,
        start: (MigrationStart) throws -> Void,
        progress: (MigrationSummary) throws -> Void,
        handler: (MigratedItem) throws -> Void
    ) throws -> MigrationSummary {
        let names = options.volumes.keys.sorted()
        var request = MigrationBeginRequest(
            path: source.description,
            volumes: names,
            options: MigrationOptions()
        )
        request.options.isDryRun = options.isDryRun || library.isPlan
        request.options.includesShared = options.includesSharedAlbums
        request.options.includesProxies = options.includesProxies
        ImportProcess.prepare()
        let begun = try edge { () throws(LibraryError) in
            var folders = [try Self.open(source)]
            for name in names {
                if let path = options.volumes[name] { folders.append(try Self.open(path)) }
            }
            return try service.beginMigration(request, files: folders)
        }
        // All reported items are committed; the next writer clears any leftovers.
        defer { try? service.endMigration(MigrationEndRequest(migration: begun.migration)) }
        try start(MigrationStart(begun))
        var summary = MigrationSummary()
        while !control.isStopped {
            let reply = try edge { () throws(LibraryError) in
                try service.continueMigration(MigrationStepRequest(migration: begun.migration))
            }
            summary = MigrationSummary(reply.totals)
            for line in reply.lines { try handler(MigratedItem(line)) }
            try progress(summary)
            if reply.isOver { return summary }
        }
        summary.wasStopped = true
        return summary
    }

    private static func open(_ path: SourcePath) throws(LibraryError) -> Descriptor {
        let number = path.bytes.withCString {
            Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard number >= 0 else {
            throw SystemError.last("open", path: path.description)
                .libraryError("The folder \(path) cannot be opened.")
        }
        return Descriptor(owning: number)
    }
}
