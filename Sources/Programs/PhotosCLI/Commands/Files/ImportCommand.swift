import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Imports files, folders, libraries of Apple Photos and iPhoto, and exports of libraries.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy photos and movies into the library.",
        discussion: """
            Folders are searched recursively. Links to folders are not followed, and photo \
            libraries are not entered. Each file gets a line with its outcome: imported, duplicate \
            (the library has the same bytes), paired (it was added to a photo: the movie of a Live \
            Photo, the RAW of a JPEG, an edited version, a sidecar), unsupported, or failed. Once \
            the line is printed, the file is safe on disk.

            Google Takeout exports are recognized: folders, and the archives takeout-….zip and \
            takeout-….tgz, which need not be extracted. Give all parts of an export together. \
            Dates, places, descriptions, favorites and albums come from Google's JSON files, and \
            edited copies join their originals. A file that an export describes but does not \
            contain is reported as missing.

            Titles, captions, ratings, dates and places in an XMP sidecar replace those of the \
            file, unless the file's metadata is newer; keywords are added. Metadata that was \
            changed in the library is kept, even if the sidecar is imported later.

            A library of Apple Photos (macOS 10.13 and later) is imported with its albums, edits, \
            titles, keywords and places; it is only read. Importing it again adds what is new. A library \
            of iPhoto 9 is imported in the same way, with events as albums.

            --dry-run reports what an import would do, line by line, and changes nothing; the exit \
            status is that of the import. No library is created, and one that exists may be \
            read-only. Files and Google Takeout exports are read as by an import. Of a \
            library of Apple Photos or iPhoto only the database is read: it shows at once what is \
            there, and which originals are only in iCloud. Of an export of a library, only the list and the names \
            and sizes of its files are read. With --device, no file is transferred: files that were \
            imported before are duplicates, and all others would be imported; only their bytes \
            decide whether the library has them from elsewhere.

            --report writes a JSON object per line: for each library, and for all files together, a \
            line with the sources, a line per item as with --json, and a line with the totals. Each \
            item has one outcome, or the command fails.

            A folder that 'photos export --all' wrote gives the same library again: identifiers, \
            all metadata, edits, albums and folders. Each file is compared with its SHA-256. \
            Importing a later export adds what is new; what was changed here is kept.

            A camera or phone that is connected by USB is imported with --device; --list-devices \
            shows the names. Nothing on it is ever changed or deleted, and files that were imported \
            before are not transferred again. PATH then names folders on the device; by default, \
            its folders DCIM are imported. A camera or phone that the desktop shows as a folder can \
            be imported like any folder.

            After Ctrl-C, the same command continues where it stopped. If there is no library at \
            the path and there never was one, a library is created.

            EXAMPLES
              photos import ~/Pictures/Camera
              photos import --move /media/card/DCIM
              photos import --dry-run /media/card/DCIM
              photos import --device 'Canon EOS R6'
              photos import --dry-run --device 'Canon EOS R6'
              photos import --dry-run '/media/mac/Photos Library.photoslibrary'
              photos import /media/disk/Photos
              photos import ~/Downloads/takeout-20240131T101112Z-*.zip
              photos import --json . | jq -r 'select(.outcome == "failed") | .path'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(
        help:
            "Remove each file, including duplicates, once it is safe in the library; folders stay."
    )
    var move = false

    @OptionGroup var migration: MigrationOptions
    @OptionGroup var devices: DeviceOptions

    @Argument(
        help: "Files, folders and libraries; - reads them from standard input.",
        completion: .file()
    )
    var path: [String] = []

    func validate() throws {
        guard devices.isUsed else {
            guard !path.isEmpty else {
                throw ValidationError("Missing expected argument '<path> ...'")
            }
            return
        }
        try devices.validate(paths: path)
        if move {
            throw ValidationError(
                "--move does not work with a camera or phone, on which nothing is ever deleted."
            )
        }
        if let option = migration.optionForLibraries {
            throw ValidationError(
                "\(option) belongs to libraries of Apple Photos and iPhoto, and does not work with a"
                    + " camera or phone."
            )
        }
    }

    func run() throws {
        if devices.listDevices { return try devices.list(isJSON: output.json) }
        if let name = devices.device { return try importDevice(named: name) }
        let paths = try Operands.expandedPaths(path)
        if paths.contains(where: \.bytes.isEmpty) {
            throw ValidationError("A path must not be empty.")
        }
        let kinds = paths.map(ImportSourceKind.init(of:))
        try refuse(paths, kinds)
        let interruption = Interruption()
        let report = try migration.report.map { try ReportFile($0) }
        let isNew = !FileManager.default.fileExists(atPath: location.url.path)
        if isNew { try refuseIfNothingIsThere(paths, report) }
        let library = try migration.dryRun ? location.openPlan() : location.openOrCreate()
        if isNew, !output.json, !migration.dryRun {
            StandardError.shared.say("Created a new library at \(library.url.path).")
        }
        var isWhole = true
        for (path, kind) in zip(paths, kinds) where kind != .files {
            if interruption.control.isStopped { break }
            var options = LibraryMigration.Options()
            options.isDryRun = migration.dryRun
            options.includesSharedAlbums = migration.sharedAlbums
            options.includesProxies = migration.proxies
            options.volumes = try migration.volumes()
            let run = MigrationRun(
                library: library,
                source: path.absolute(),
                kind: kind,
                options: options,
                isJSON: output.json,
                report: report,
                control: interruption.control
            )
            if let reason = kind.reasonAgainst {
                try run.fail(reason)
                isWhole = false
            } else if try !run.run() {
                isWhole = false
            }
        }
        let files = zip(paths, kinds).filter { $0.1 == .files }.map(\.0)
        if !files.isEmpty, !interruption.control.isStopped {
            let isDone = try importFiles(files, into: library, interruption, report)
            isWhole = isWhole && isDone
        }
        if let error = interruption.error { throw error }
        try report?.finish()
        if !isWhole { throw ExitCode(ExitStatus.failed) }
    }

    /// Throws an error for options that cannot be used with the given paths.
    private func refuse(_ paths: [SourcePath], _ kinds: [ImportSourceKind]) throws {
        if let option = migration.optionForLibraries,
            !kinds.contains(where: { $0 == .applePhotos }), paths.contains(where: \.exists)
        {
            throw ValidationError(
                "\(option) belongs to libraries of Apple Photos and iPhoto, and no path is one."
            )
        }
        if move, let takeout = LibraryImport.takeouts(among: paths).first {
            throw ValidationError(
                "--move does not work with a Google Takeout export (\(takeout)), which is only read."
            )
        }
        if move, let path = paths.first(where: { LibraryImport.deviceMountType(of: $0) != nil }) {
            throw ValidationError(
                "--move does not work with a mounted camera or phone (\(path)), on which nothing is"
                    + " ever deleted. Import without --move."
            )
        }
        if move, let index = kinds.firstIndex(of: .photosExport) {
            throw ValidationError(
                "--move does not work with an export of a library (\(paths[index])), which is only"
                    + " read."
            )
        }
        if move, let index = kinds.firstIndex(where: { $0 != .files }) {
            throw ValidationError(
                "--move does not work with a library of another program (\(paths[index]))."
            )
        }
    }

    /// Imports files and folders; returns false if a file failed, was missing or got no outcome, or
    /// if the import was stopped.
    private func importFiles(
        _ paths: [SourcePath],
        into library: PhotoLibraryBundle,
        _ interruption: Interruption,
        _ reportFile: ReportFile?
    ) throws -> Bool {
        var options = LibraryImport.Options()
        options.movesFiles = move
        options.countsAhead = StandardError.isTerminal
        let work = LibraryImport(
            library: library,
            paths: paths,
            options: options,
            control: interruption.control
        )
        let sources = ReportLines.Source.all(among: paths)
        return try show(sources, reportFile) { try work.run(progress: $0, handler: $1) }
    }

    /// Imports files from a camera or phone.
    private func importDevice(named name: String) throws {
        let folders = path.map { SourcePath($0) }
        // No library is created for a device that is not there. Signals end the process meanwhile.
        let device = try CameraDevice.named(name)
        let interruption = Interruption()
        let report = try migration.report.map { try ReportFile($0) }
        let isNew = !FileManager.default.fileExists(atPath: location.url.path)
        let library = try migration.dryRun ? location.openPlan() : location.openOrCreate()
        if isNew, !output.json, !migration.dryRun {
            StandardError.shared.say("Created a new library at \(library.url.path).")
        }
        let work = DeviceImport(
            library: library,
            device: device,
            folders: folders,
            control: interruption.control
        )
        let isWhole: Bool
        do {
            let source = ReportLines.Source(kind: "device", device: device)
            isWhole = try show([source], report) { try work.run(progress: $0, handler: $1) }
        } catch {
            // The device's process is killed if it does not answer after a signal.
            throw interruption.error ?? error
        }
        if let error = interruption.error { throw error }
        try report?.finish()
        if !isWhole { throw ExitCode(ExitStatus.failed) }
    }

    /// Runs an import and shows its progress and outcomes; returns false if a file failed, was
    /// missing or got no outcome, or if the import was stopped.
    private func show(
        _ sources: [ReportLines.Source],
        _ reportFile: ReportFile?,
        _ run: (
            _ progress: (ImportProgress) throws -> Void, _ handler: (ImportEvent) throws -> Void
        ) throws -> ImportSummary
    ) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var bar = ProgressBar()
        defer { bar.finish() }
        var notes: [ReportNote] = []
        var hint = TakeoutHint()
        try reportFile?.write(ReportLines.header(sources, isDryRun: migration.dryRun).line)
        let summary = try run(
            { progress in
                // The batch is durable, so its lines are written completely.
                try StandardOutput.shared.flush()
                try reportFile?.flush()
                bar.show(progress)
            },
            { event in
                switch event {
                case .outcome(let outcome):
                    hint.add(outcome)
                    try report(outcome, reportFile)
                case .notEntered(let path, let reason):
                    let text = "Skipped \(path). \(reason)"
                    StandardError.shared.say("photos: " + TerminalStyle.safe(text))
                    notes.append(ReportNote(code: "notEntered", isError: false, text: text))
                }
            }
        )
        bar.finish()
        try StandardOutput.shared.flush()
        if !output.json { report(summary, after: clock.now - start) }
        if let text = hint.text(sources.compactMap(\.path)) {
            notes.append(ReportNote(code: "takeoutInFolder", isError: false, text: text))
            StandardError.shared.say("photos: " + TerminalStyle.safe(text))
        }
        for folder in summary.vanishedFolders {
            let name = TerminalStyle.safe(folder.description)
            let event =
                devices.isUsed
                ? "The device \(name) was disconnected or no longer answers. Connect"
                : "The folder \(name) disappeared during the import. If it is on a device, connect"
            StandardError.shared.say(
                "photos: \(event) the device, unlock it, and run the command again, which adds the"
                    + " rest. Reported files are safe."
            )
        }
        guard !summary.wasStopped else { return false }
        try reportFile?.write(ReportLines.totals(summary, notes: notes).line)
        if !summary.addsUp {
            StandardError.shared.say(
                "photos: \(summary.foundFiles) files were found, and \(summary.files) outcomes"
                    + " reported. Import them again."
            )
        }
        return summary.addsUp && summary.counts[.failed] == nil && summary.counts[.missing] == nil
    }

    /// Throws an error if none of the paths exists, so that no library is created for mistyped
    /// paths.
    private func refuseIfNothingIsThere(_ paths: [SourcePath], _ file: ReportFile?) throws {
        guard paths.allSatisfy({ !$0.exists }) else { return }
        let sources = ReportLines.Source.all(among: paths)
        try file?.write(ReportLines.header(sources, isDryRun: migration.dryRun).line)
        var summary = ImportSummary()
        summary.foundFiles = paths.count
        summary.counts[.failed] = paths.count
        for path in paths {
            try report(
                FileOutcome(
                    path: path.absolute(),
                    kind: .failed,
                    reason: "No such file or folder."
                ),
                file
            )
        }
        try StandardOutput.shared.flush()
        try file?.write(ReportLines.totals(summary, notes: []).line)
        try file?.finish()
        throw ExitCode(ExitStatus.failed)
    }

    // MARK: - Lines

    private func report(_ outcome: FileOutcome, _ file: ReportFile? = nil) throws {
        if output.json || file != nil {
            let line = ReportItem(outcome).object.line
            try file?.write(line)
            guard !output.json else { return try StandardOutput.shared.write(line + "\n") }
        }
        let kind = Columns.pad(outcome.kind.rawValue, to: 11)
        try StandardOutput.shared.write(Self.style(outcome.kind)(kind) + "  ")
        try StandardOutput.shared.write(bytes: TerminalStyle.safe(outcome.path))
        if let item = outcome.source?.item, !outcome.path.description.hasSuffix(item) {
            try StandardOutput.shared.write(" " + TerminalStyle.safe("(\(item))"))
        }
        let notes = outcome.notes.map(\.text).filter { $0 != outcome.reason }
        let remark = ([outcome.localIdentifier, outcome.reason].compactMap(\.self) + notes)
            .map(TerminalStyle.safe).joined(separator: "  ")
        let tail = remark.isEmpty ? "" : "  " + TerminalStyle.dim(remark)
        try StandardOutput.shared.write(tail + "\n")
    }

    private static func style(_ kind: FileOutcome.Kind) -> TerminalStyle {
        switch kind {
        case .imported: .green
        case .paired: .cyan
        case .duplicate: .dim
        case .unsupported: .yellow
        case .failed, .missing: .red
        }
    }

    private func report(_ summary: ImportSummary, after duration: Duration) {
        let seconds = max(duration / .seconds(1), 0.001)
        let counts = FileOutcome.Kind.allCases.compactMap { kind in
            summary.counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        var parts = [counts.isEmpty ? "Nothing to import" : counts.joined(separator: ", ")]
        if migration.dryRun, !counts.isEmpty { parts[0] = "Would be: " + parts[0] }
        if migration.dryRun, devices.isUsed, summary.counts[.imported] != nil {
            parts.append("\(SizeText.bytes(summary.bytes)) to transfer")
        }
        // A rate is meaningless without imported files or for very short times.
        if !migration.dryRun, summary.counts[.imported] != nil, seconds >= 0.1 {
            let rate = SizeText.bytes(Int64(Double(summary.bytes) / seconds))
            parts.append(
                "\(SizeText.bytes(summary.bytes)) in \(SizeText.tenths(seconds)) s, \(rate)/s"
            )
        }
        StandardError.shared.say(parts.joined(separator: "; "))
        for note in summary.notes { StandardError.shared.say(TerminalStyle.safe(note.text)) }
        if summary.wasStopped {
            StandardError.shared.say("Interrupted. Run the command again to continue.")
        }
    }
}
