import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Imports files and folders.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy photos and movies into the library.",
        discussion: """
            Folders are searched to the bottom; linked folders and photo libraries are not entered. \
            Every file gets a line with what became of it: imported, duplicate (the same bytes are in \
            the library), paired (it joined a photo: the movie of a Live Photo, the RAW beside a JPEG, \
            an edited version, a sidecar), unsupported, or failed. What a line says is safe on disk.

            Titles, captions, ratings, dates and places in an XMP sidecar replace those of the file, \
            unless the file's metadata is newer; keywords are added. What was changed in the library \
            stays as it is, also when the sidecar comes later.

            Stopping with Ctrl-C and starting again continues. A library is made when there is none \
            and there never was one at that place.

            EXAMPLES
              photos import ~/Pictures/Camera
              photos import --move /media/card/DCIM
              photos import --json . | jq -r 'select(.outcome == "failed") | .path'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Remove each file, duplicates too, once it is safe in the library; folders stay.")
    var move = false

    @Argument(help: "Files and folders; - reads them from standard input.", completion: .file())
    var path: [String]

    func run() throws {
        let paths = try Operands.expandedPaths(path)
        if paths.contains(where: \.bytes.isEmpty) {
            throw ValidationError("An empty path names nothing.")
        }
        let interruption = Interruption()
        let isNew = !FileManager.default.fileExists(atPath: location.url.path)
        if isNew { try refuseIfNothingIsThere(paths) }
        let library = try location.openOrCreate()
        if isNew, !output.json {
            StandardError.shared.say("Made a new library at \(library.url.path).")
        }
        var options = LibraryImport.Options()
        options.movesFiles = move
        options.countsAhead = StandardError.isTerminal
        let work = LibraryImport(
            library: library,
            paths: paths,
            options: options,
            control: interruption.control
        )
        let clock = ContinuousClock()
        let start = clock.now
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try work.run { progress in
            // The batch is durable, so its lines are written completely.
            try StandardOutput.shared.flush()
            bar.show(progress)
        } handler: { event in
            switch event {
            case .outcome(let outcome): try report(outcome)
            case .notEntered(let path, let reason):
                let name = TerminalStyle.safe(path.description)
                StandardError.shared.say("photos: Not entered: \(name). \(reason)")
            }
        }
        bar.finish()
        try StandardOutput.shared.flush()
        if !output.json { report(summary, after: clock.now - start) }
        if let error = interruption.error { throw error }
        if summary.counts[.failed] != nil { throw ExitCode(ExitStatus.failed) }
    }

    /// Throws when none of the paths exists, so that mistyped paths do not create a library.
    private func refuseIfNothingIsThere(_ paths: [SourcePath]) throws {
        guard paths.allSatisfy({ !$0.exists }) else { return }
        for path in paths {
            try report(
                FileOutcome(
                    path: path.absolute(),
                    kind: .failed,
                    reason: "There is no such file or folder."
                )
            )
        }
        try StandardOutput.shared.flush()
        throw ExitCode(ExitStatus.failed)
    }

    // MARK: - Lines

    private func report(_ outcome: FileOutcome) throws {
        if output.json {
            var object = JSONObject()
            object.add("path", outcome.path.description)
            if !outcome.path.isUTF8 {
                object.add("pathBase64", Data(outcome.path.bytes).base64EncodedString())
            }
            object.add("outcome", outcome.kind.rawValue)
            object.add("localIdentifier", outcome.localIdentifier)
            object.add("reason", outcome.reason)
            try StandardOutput.shared.write(object.line + "\n")
            return
        }
        let kind = Columns.pad(outcome.kind.rawValue, to: 11)
        try StandardOutput.shared.write(Self.style(outcome.kind)(kind) + "  ")
        try StandardOutput.shared.write(bytes: TerminalStyle.safe(outcome.path))
        let remark = [outcome.localIdentifier, outcome.reason].compactMap(\.self)
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
        case .failed: .red
        }
    }

    private func report(_ summary: ImportSummary, after duration: Duration) {
        let seconds = max(duration / .seconds(1), 0.001)
        let counts = FileOutcome.Kind.allCases.compactMap { kind in
            summary.counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        var parts = [counts.isEmpty ? "Nothing to import" : counts.joined(separator: ", ")]
        // A rate is meaningless without imported files or for very short times.
        if summary.counts[.imported] != nil, seconds >= 0.1 {
            let rate = SizeText.bytes(Int64(Double(summary.bytes) / seconds))
            parts.append(
                "\(SizeText.bytes(summary.bytes)) in \(SizeText.tenths(seconds)) s, \(rate)/s"
            )
        }
        StandardError.shared.say(parts.joined(separator: "; "))
        if summary.wasStopped {
            StandardError.shared.say("Stopped before the end. Run it again to continue.")
        }
    }
}
