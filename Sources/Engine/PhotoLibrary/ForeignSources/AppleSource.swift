internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A library of Apple's Photos or of iPhoto as a migration's source.
struct AppleSource {
    var request: MigrationBeginRequest
    /// The journal author of the import.
    var author: String
    var root: Descriptor
    var volumes: [Descriptor]
    var pool: WorkerPool
    var staging: StagingSession

    /// Copies and opens the database, lists the files and counts missing originals.
    func open(
        store: LibraryStore,
        configuration: ImportConfiguration,
        renditions: (any FirstRenditionSink)?
    ) throws(LibraryError) -> (MigrationSession, MigrationBeginReply) {
        let form = try AppleLibraryForm.find(
            in: SourceFolder(root, path: request.path),
            name: request.path
        )
        let parts =
            form.folders + (request.options.includesProxies ? ["resources/derivatives"] : [])
        let folder = SourceFolder(root, path: request.path, parts: parts)
        let copy = try ForeignLibraryCopy(
            of: form,
            in: folder,
            to: staging,
            name: request.path
        )
        // The worker has its own descriptors of the copies.
        defer { copy.discard() }
        let listing = folder.listing()
        var files: [String: any SourceFiles] = [:]
        var listings: [String: SourceListing] = [:]
        for (name, descriptor) in zip(request.volumes, volumes) {
            let volume = SourceFolder(descriptor, path: name)
            files[name] = volume
            listings[name] = volume.listing()
        }
        let plan = MigrationPlan(
            kind: .applePhotos,
            listing: listing,
            volumes: listings,
            options: request.options,
            absence: form.absence
        )
        let reader = try copy.reader(pool)
        let survey = try survey(reader, plan)
        try reader.rewind()
        var notes = survey.counts.notes.map { MigrationNote($0.code, $0.text) }
        notes += listing.notes(of: "library")
        for (name, listing) in listings.sorted(by: { $0.key < $1.key }) {
            notes += listing.notes(of: "volume “\(name)”")
        }
        if copy.isLogMissing {
            notes.append(
                MigrationNote(
                    "logMissing",
                    "The library was copied without its write-ahead log, so its latest changes may"
                        + " be missing. Quit \(form.program) before you copy a library."
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
                    "\(survey.missing) of \(survey.counts.assets) originals are not there."
                        + Self.advice(survey.elsewhere, of: survey.missing, form)
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
                kind: .applePhotos,
                counts: survey.counts,
                files: folder,
                volumes: files,
                plan: plan,
                foldersOfOriginals: form.foldersOfOriginals,
                notes: notes
            ),
            author: author
        )
        if request.options.isDryRun { staging.end() }
        let reply = MigrationBeginReply(
            migration: 0,
            generation: survey.counts.generation,
            model: survey.counts.model,
            logSize: copy.logSize,
            assets: survey.counts.assets,
            missing: survey.missing,
            bytes: survey.bytes,
            notes: notes
        )
        return (session, reply)
    }

    /// Reads all records once, so that missing originals are known before any file is copied.
    private func survey(_ reader: any ForeignReader, _ plan: MigrationPlan) throws(LibraryError)
        -> (counts: ForeignCounts, missing: Int, elsewhere: [String: Int], bytes: Int64)
    {
        var counts: ForeignCounts?
        var missing = 0
        var elsewhere: [String: Int] = [:]
        var bytes: Int64 = 0
        while true {
            let batch = try reader.next()
            for record in batch.records {
                switch record {
                case .counts(let found): counts = found
                case .asset(let asset):
                    let step = plan.step(for: asset)
                    for line in step.lines where line.isLeading && line.outcome == .missing {
                        missing += 1
                        if let volume = line.volume { elsewhere[volume, default: 0] += 1 }
                    }
                    if case .take(let files) = step.decision {
                        bytes = files.reduce(bytes) { $0.addingSaturated($1.entry.size) }
                    }
                // Assets come first.
                case .collection, .members, .broken: break
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
        return (counts, missing, elsewhere, bytes)
    }

    /// Returns advice on how to get missing originals, with a leading space.
    ///
    /// `elsewhere` has the number of missing originals by the other volume that they are on.
    private static func advice(
        _ elsewhere: [String: Int],
        of missing: Int,
        _ form: AppleLibraryForm
    ) -> String {
        var text = missing > elsewhere.values.reduce(0, +) ? " " + form.advice : ""
        for (volume, count) in elsewhere.sorted(by: { $0.key < $1.key }) {
            text +=
                " \(count) of them should be on the volume “\(volume)”: name the folder with its"
                + " files by --volume \"\(volume)=PATH\"."
        }
        return text
    }
}
