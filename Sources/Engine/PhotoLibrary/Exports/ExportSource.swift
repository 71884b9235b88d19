internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An exported library as the source of a migration.
struct ExportSource {
    var request: MigrationBeginRequest
    /// The journal author of the import.
    var author: String
    var root: Descriptor
    var pool: WorkerPool
    var staging: StagingSession

    /// The name of the file that describes all assets and collections.
    static let manifest = "library.jsonl"
    /// The folders with the files of assets.
    private static let folders = ["Photos", "Hidden", "Recently Deleted"]

    /// The result of reading all lines of the manifest once.
    private struct Survey {
        var counts: ForeignCounts
        var items: Set<String> = []
        var missing = 0
        var bytes: Int64 = 0
    }

    /// Returns whether a folder is an export.
    static func isExport(_ root: Descriptor, path: String) -> Bool {
        let folder = SourceFolder(root, path: path)
        return (try? folder.status(of: manifest))?.isRegularFile == true
            && (try? folder.status(of: "database/Photos.sqlite")) == nil
            && (try? folder.status(of: "database/photos.db")) == nil
    }

    /// Copies the manifest, lists the files and counts missing originals.
    func open(
        store: LibraryStore,
        configuration: ImportConfiguration,
        renditions: (any FirstRenditionSink)?
    ) throws(LibraryError) -> (MigrationSession, MigrationBeginReply) {
        let folder = SourceFolder(root, path: request.path, parts: Self.folders)
        let copy = try manifest(in: folder)
        // The worker has its own descriptor of the copy.
        defer { copy.discard() }
        let listing = folder.listing()
        let reader = try Self.reader(copy, pool)
        let survey = try survey(reader, listing)
        try reader.rewind()
        var notes = survey.counts.notes.map { MigrationNote($0.code, .note, $0.text) }
        notes += listing.notes(of: "export")
        if survey.missing > 0 {
            notes.append(
                MigrationNote(
                    "originalsMissing",
                    "\(survey.missing) of \(survey.counts.assets) originals are not in the export."
                        + " Export the library again, or copy the whole export."
                )
            )
        }
        let session = MigrationSession(
            store: store,
            prober: pool,
            configuration: configuration,
            renditions: renditions,
            reader: reader,
            staging: request.options.isDryRun ? nil : staging,
            source: MigrationSession.Source(
                kind: .photosExport,
                counts: survey.counts,
                files: folder,
                volumes: [:],
                plan: MigrationPlan(
                    kind: .photosExport,
                    listing: listing,
                    options: request.options
                ),
                foldersOfOriginals: Self.folders,
                notes: notes,
                items: survey.items
            ),
            author: author
        )
        if request.options.isDryRun { staging.end() }
        let reply = MigrationBeginReply(
            migration: 0,
            generation: survey.counts.generation,
            model: survey.counts.model,
            logSize: 0,
            assets: survey.counts.assets,
            missing: survey.missing,
            bytes: survey.bytes,
            notes: notes
        )
        return (session, reply)
    }

    /// Copies `library.jsonl`, so that both passes over it read the same contents.
    private func manifest(in folder: SourceFolder) throws(LibraryError) -> StagedFile {
        let file: Descriptor
        do throws(SystemError) { file = try folder.open(Self.manifest) } catch {
            throw error.libraryError("The export \(request.path) cannot be read.")
        }
        defer { withExtendedLifetime(file) {} }
        do throws(FileStager.Failure) {
            return try FileStager(session: staging, files: staging.files).stage(file.number).file
        } catch {
            let reason: String =
                switch error {
                case .volume(let error): throw error
                case .notRegular(let kind): "Its library.jsonl is \(kind)."
                case .empty: "Its library.jsonl is empty."
                case .changed: "Its library.jsonl changed while it was being read."
                case .unreadable(let reason): reason
                }
            throw Self.unreadable(request.path, reason)
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> LibraryError {
        LibraryError(
            .invalidResource,
            "The export \(path) cannot be read.",
            reason: reason,
            recovery: "Export the library again, or import the folder Photos in it, with the XMP"
                + " files."
        )
    }

    private static func reader(_ copy: StagedFile, _ pool: WorkerPool) throws(LibraryError)
        -> ExportReader
    {
        do throws(ForeignLibrary.Failure) {
            return ExportReader(
                library: try ForeignLibrary(pool: pool, export: copy.descriptor.number)
            )
        } catch { throw ExportReader.error(error) }
    }

    private func survey(_ reader: ExportReader, _ listing: SourceListing) throws(LibraryError)
        -> Survey
    {
        var survey: Survey?
        while true {
            let batch = try reader.next()
            for record in batch.records {
                switch record {
                case .counts(var counts):
                    counts.assets = 0
                    survey = survey ?? Survey(counts: counts)
                case .asset(let asset):
                    survey?.counts.assets += 1
                    survey?.items.insert(asset.item)
                    guard let exact = asset.exact else { continue }
                    let files = ExportedFiles(asset, exact, in: listing)
                    if files.original?.entry == nil { survey?.missing += 1 }
                    for file in files.kept + files.edit {
                        guard let entry = file.entry, let bytes = survey?.bytes else { continue }
                        survey?.bytes = bytes.addingSaturated(entry.size)
                    }
                case .broken(let problem):
                    if problem.isAsset { survey?.counts.assets += 1 }
                case .collection(let collection):
                    let kind = collection.kind.rawValue
                    survey?.counts.collections[kind, default: 0] += 1
                case .members: break
                }
            }
            if batch.isLast { break }
        }
        guard let survey else {
            throw Self.unreadable(request.path, "Its library.jsonl has no header.")
        }
        return survey
    }
}

/// Reads the records of an export.
struct ExportReader: ForeignReader {
    let library: ForeignLibrary

    func next() throws(LibraryError) -> ForeignBatch {
        do throws(ForeignLibrary.Failure) { return try library.next(200) } catch {
            throw Self.error(error)
        }
    }

    func rewind() throws(LibraryError) {
        do throws(ForeignLibrary.Failure) { try library.readAgain() } catch {
            throw Self.error(error)
        }
    }

    static func error(_ failure: ForeignLibrary.Failure) -> LibraryError {
        switch failure {
        case .worker: return failure.libraryError
        case .library(let reason):
            return LibraryError(
                .invalidResource,
                "The export cannot be read.",
                reason: reason,
                recovery: "Export the library again, or import the folder Photos in it, with the"
                    + " XMP files."
            )
        }
    }
}
