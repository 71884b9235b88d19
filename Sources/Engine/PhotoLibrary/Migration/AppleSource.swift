internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A library of Apple's Photos as a migration's source.
struct AppleSource {
    var request: MigrationBeginRequest
    var root: Descriptor
    var volumes: [Descriptor]
    var pool: WorkerPool
    var staging: StagingSession

    /// The folders with files that may belong to assets, of all generations.
    private static let parts = [
        "originals", "Masters", "resources/renders", "resources/media", "resources/cloudsharing",
        "scopes",
    ]
    private static let orphanFolders = ["originals", "scopes", "Masters"]

    /// Copies and opens the database, lists the files and counts what is missing.
    func open(
        store: LibraryStore,
        configuration: ImportConfiguration,
        renditions: (any FirstRenditionSink)?
    ) throws(LibraryError) -> (MigrationSession, MigrationBeginReply) {
        let parts = Self.parts + (request.options.includesProxies ? ["resources/derivatives"] : [])
        let folder = SourceFolder(root, path: request.path, parts: parts)
        let database = try database(in: folder)
        let copy = try ForeignDatabaseCopy(
            of: database,
            in: folder,
            to: staging,
            name: request.path
        )
        // The workers have their own descriptors of the copy.
        defer { copy.discard() }
        let listing = try folder.listing()
        var files: [String: any SourceFiles] = [:]
        var listings: [String: SourceListing] = [:]
        for (name, descriptor) in zip(request.volumes, volumes) {
            let volume = SourceFolder(descriptor, path: name)
            files[name] = volume
            listings[name] = try volume.listing()
        }
        let plan = MigrationPlan(
            kind: .applePhotos,
            listing: listing,
            volumes: listings,
            options: request.options
        )
        let survey = try survey(copy, plan)
        var notes: [MigrationNote] = []
        if copy.isLogMissing {
            notes.append(
                MigrationNote(
                    "logMissing",
                    "The library was copied without its write-ahead log, so its latest changes may"
                        + " be missing. Quit Photos before you copy a library."
                )
            )
        }
        if survey.counts.isUnknownVersion {
            notes.append(
                MigrationNote(
                    "unknownVersion",
                    "The library's version (\(survey.counts.model)) is not one that was tried."
                        + " Compare the counts."
                )
            )
        }
        if survey.missing > 0 {
            notes.append(
                MigrationNote(
                    "originalsMissing",
                    "\(survey.missing) of \(survey.counts.assets) originals are not there. "
                        + MigrationPlan.advice
                )
            )
        }
        let session = MigrationSession(
            store: store,
            prober: pool,
            configuration: configuration,
            renditions: renditions,
            reader: try Self.reader(copy, pool),
            staging: request.options.isDryRun ? nil : staging,
            source: MigrationSession.Source(
                kind: .applePhotos,
                counts: survey.counts,
                files: folder,
                volumes: files,
                plan: plan,
                foldersOfOriginals: Self.orphanFolders,
                notes: notes
            ),
            author: request.author
        )
        if request.options.isDryRun { staging.end() }
        let reply = MigrationBeginReply(
            migration: 0,
            generation: survey.counts.generation,
            model: survey.counts.model,
            logSize: copy.log?.size ?? 0,
            assets: survey.counts.assets,
            missing: survey.missing,
            bytes: survey.bytes,
            notes: notes
        )
        return (session, reply)
    }

    /// Returns the path of the database; a stub lies beside that of Photos 5 and later.
    private func database(in folder: SourceFolder) throws(LibraryError) -> String {
        for path in ["database/Photos.sqlite", "database/photos.db"] {
            do throws(SystemError) {
                if try folder.status(of: path)?.isRegularFile == true { return path }
            } catch {
                throw error.libraryError("The library \(request.path) cannot be read.")
            }
        }
        throw LibraryError(
            .invalidResource,
            "\(request.path) is not a library of Photos.",
            reason: "It has no database/Photos.sqlite and no database/photos.db.",
            recovery: "Copy the library as a whole, or import the folder with its originals."
        )
    }

    private static func reader(_ copy: ForeignDatabaseCopy, _ pool: WorkerPool)
        throws(LibraryError) -> ForeignLibrary
    {
        do throws(ForeignLibrary.Failure) {
            return try ForeignLibrary(
                pool: pool,
                database: copy.database.descriptor.number,
                log: copy.log?.descriptor.number
            )
        } catch { throw error.libraryError }
    }

    /// Reads all records once, so that what is missing is known before anything is copied.
    private func survey(_ copy: ForeignDatabaseCopy, _ plan: MigrationPlan) throws(LibraryError)
        -> (counts: ForeignCounts, missing: Int, bytes: Int64)
    {
        let reader = try Self.reader(copy, pool)
        var counts: ForeignCounts?
        var missing = 0
        var bytes: Int64 = 0
        while true {
            let batch = try reader.next() as ForeignBatch
            for record in batch.records {
                switch record {
                case .counts(let found): counts = found
                case .asset(let asset):
                    let step = plan.step(for: asset)
                    missing += step.lines.count { $0.isLeading && $0.outcome == .missing }
                    if case .take(let files) = step.decision {
                        bytes = files.reduce(bytes) { $0.addingSaturated($1.entry.size) }
                    }
                // Assets come first.
                case .collection, .members: break
                }
            }
            if batch.isLast { break }
        }
        guard let counts else {
            throw LibraryError(
                .invalidResource,
                "The library \(request.path) cannot be read.",
                reason: "Its database states no counts.",
                recovery: "Copy it again."
            )
        }
        return (counts, missing, bytes)
    }
}
