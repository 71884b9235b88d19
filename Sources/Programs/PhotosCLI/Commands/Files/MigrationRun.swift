import Foundation
import Photos
import PhotosJSON
import PhotosManagement

/// Imports a library of another program, and reports the outcome of each item.
struct MigrationRun {
    let library: PhotoLibraryBundle
    let source: SourcePath
    let kind: ImportSourceKind
    let options: LibraryMigration.Options
    let isJSON: Bool
    let report: ReportFile?
    let control: OperationControl

    /// Imports the library, and returns whether the import is complete.
    ///
    /// If the library cannot be read, this is reported as an outcome and not thrown, so that the
    /// command continues with its other arguments.
    func run() throws -> Bool {
        var bar = ProgressBar()
        defer { bar.finish() }
        var total: Int?
        var latest: MigrationSummary?
        // The remarks that are shown before anything is copied.
        var shown: Set<String> = []
        let work = LibraryMigration(
            library: library,
            source: source,
            options: options,
            control: control
        )
        do {
            let summary = try work.run { start in
                total = start.assets
                shown = Set(start.notes.map(\.text))
                try begin(start)
            } progress: { summary in
                // The batch is durable, so its lines are written completely.
                try StandardOutput.shared.flush()
                try report?.flush()
                latest = summary
                bar.show(summary, of: total ?? 0)
            } handler: { item in
                try write(ReportItem(item, of: work), item)
            }
            bar.finish()
            try StandardOutput.shared.flush()
            if summary.wasStopped {
                StandardError.shared.say("Interrupted. Run the command again to continue.")
                return false
            }
            try end(summary, shown: shown)
            return summary.isComplete
        } catch let error as PHPhotosError {
            bar.finish()
            let texts = [error.localizedDescription, error.failureReason, error.recoverySuggestion]
            try fail(texts.compactMap(\.self).joined(separator: " "), isBegun: total != nil, latest)
            return false
        }
    }

    /// Reports that reading a source failed.
    ///
    /// The source was read partly or not at all.
    ///
    /// `isBegun` states whether the header was written, and `latest` has the totals so far.
    func fail(
        _ reason: String,
        isBegun: Bool = false,
        _ latest: MigrationSummary? = nil
    ) throws {
        if !isBegun { try report?.write(header().line) }
        let object = ReportItem(path: source.description, outcome: "failed", reason: reason).object
        try report?.write(object.line)
        let totals =
            latest.map { ReportLines.totals($0) } ?? ReportLines.totalsOfUnreadableLibrary()
        try report?.write(totals.line)
        if isJSON {
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            try StandardOutput.shared.write(
                TerminalStyle.red(Columns.pad("failed", to: 11)) + "  "
                    + TerminalStyle.safe(source.description) + "  "
                    + TerminalStyle.dim(TerminalStyle.safe(reason)) + "\n"
            )
        }
        try StandardOutput.shared.flush()
    }

    // MARK: - Beginning and end

    private func header(_ start: MigrationStart? = nil) -> JSONObject {
        ReportLines.header(
            [ReportLines.Source(kind: kind.rawValue, path: source)],
            isDryRun: options.isDryRun,
            start: start
        )
    }

    private func begin(_ start: MigrationStart) throws {
        try report?.write(header(start).line)
        if !isJSON {
            let size = SizeText.bytes(start.bytes)
            StandardError.shared.say(
                "\(TerminalStyle.safe(source.description)): \(start.generation), \(start.assets)"
                    + " photos and movies, \(size)"
            )
        }
        for note in start.notes { StandardError.shared.say(TerminalStyle.safe(note.text)) }
    }

    private func end(_ summary: MigrationSummary, shown: Set<String>) throws {
        try report?.write(ReportLines.totals(summary).line)
        if !summary.addsUp {
            StandardError.shared.say(
                "photos: Only \(summary.settled) of \(summary.assets) photos and movies have an"
                    + " outcome. Import the library again."
            )
        }
        guard !isJSON else { return }
        let counts = [
            (summary.imported, "imported"), (summary.damaged, "imported but damaged"),
            (summary.alreadyThere, "already there"), (summary.missing, "missing"),
            (summary.sharedSkipped, "of shared albums left out"),
            (summary.unsupported, "unsupported"), (summary.failed, "failed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let verb = options.isDryRun ? "Would be: " : ""
        StandardError.shared.say(
            verb + (counts.isEmpty ? "Nothing to import" : counts.joined(separator: ", "))
                + " of \(summary.assets); \(summary.albums) new albums, \(summary.folders) new folders"
        )
        if kind == .photosExport {
            if summary.verified > 0 {
                StandardError.shared.say(
                    "\(summary.verified) copied files equal the export's SHA-256."
                )
            }
        } else if !options.isDryRun, summary.verified + summary.notVerifiable > 0 {
            StandardError.shared.say(
                "Originals compared with Photos' fingerprints: \(summary.verified) equal,"
                    + " \(summary.notVerifiable) without one"
            )
        }
        for note in summary.notes where note.isError && !shown.contains(note.text) {
            StandardError.shared.say(TerminalStyle.safe(note.text))
        }
    }

    // MARK: - Lines

    private func write(_ line: ReportItem, _ item: MigratedItem) throws {
        if isJSON || report != nil {
            let text = line.object.line
            try report?.write(text)
            if isJSON { try StandardOutput.shared.write(text + "\n") }
        }
        guard !isJSON else { return }
        let kind = Columns.pad(item.outcome.rawValue, to: 11)
        let remarks =
            [item.localIdentifier, item.reason].compactMap(\.self) + item.notes.map(\.text)
        let tail = remarks.map(TerminalStyle.safe).joined(separator: "  ")
        let place = item.volume.flatMap { volume in item.path.map { "\(volume): \($0)" } }
        try StandardOutput.shared.write(
            Self.style(item.outcome)(kind) + "  "
                + TerminalStyle.safe(line.path ?? place ?? item.item ?? source.description)
                + (tail.isEmpty ? "" : "  " + TerminalStyle.dim(tail)) + "\n"
        )
    }

    private static func style(_ outcome: MigratedItem.Outcome) -> TerminalStyle {
        switch outcome {
        case .imported: .green
        case .paired: .cyan
        case .duplicate: .dim
        case .skipped, .unsupported: .yellow
        case .missing, .failed: .red
        }
    }
}
