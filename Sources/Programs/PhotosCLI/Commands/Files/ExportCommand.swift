import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Exports assets to a folder.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy photos and movies to a folder, byte for byte.",
        discussion: """
            Files that belong together are exported together or not at all: the still and the \
            movie of a Live Photo, the JPEG and the RAW, sidecars. If a name is taken, a number is \
            added; nothing is overwritten. The times of the files are set to the capture time.

            With --all, the whole library is exported: originals and edits in folders by month, \
            an XMP sidecar beside each, albums as folders of links, and library.jsonl with all \
            facts. Exporting to the same folder again writes only what changed. Files that no \
            photo has any more are listed and stay. Files are listed once they are durable, in \
            steps of 200 photos. On file systems without links, such as exFAT, the folders of \
            albums have only lists of their photos, unless --albums is copies. The exit status is \
            1 if a file is missing or damaged; everything else is exported.

            EXAMPLES
              photos export 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o ~/Desktop
              photos list --json | jq -r .localIdentifier | xargs photos export -o backup
              photos export --all -o /media/disk/Photos
              photos export --all --hidden --deleted --albums copies -o /media/disk/Photos
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "The destination folder.",
        completion: .directory
    )
    var folder: String

    @Flag(exclusivity: .exclusive)
    var version = ExportVersion.original

    @Flag(help: "Export the whole library.")
    var all = false

    @Flag(help: "With --all: export hidden photos, too.")
    var hidden = false

    @Flag(help: "With --all: export Recently Deleted, too.")
    var deleted = false

    @Option(help: "With --all: write albums as folders of links or copies, or not at all.")
    var albums: ExportedAlbums?

    @Argument(help: AssetArguments.help)
    var operands: [String] = []

    func validate() throws {
        if folder.isEmpty { throw ValidationError("-o requires the path of a folder.") }
        guard operands.isEmpty == all else {
            throw ValidationError(
                all
                    ? "Give either assets or --all, not both."
                    : "Give the assets to export, or --all."
            )
        }
        if all, version == .current {
            throw ValidationError("--all exports originals and edits; --current does not apply.")
        }
        if !all, hidden || deleted || albums != nil {
            throw ValidationError("--hidden, --deleted and --albums require --all.")
        }
    }

    func run() throws {
        guard !all else { return try exportLibrary() }
        try exportAssets()
    }

    private func exportAssets() throws {
        let interruption = Interruption()
        let path = try TextPath.absolute(folder)
        let target = URL(filePath: path, directoryHint: .isDirectory)
        let library = try location.open()
        let export = try AssetExport(
            to: target,
            version: version.version,
            control: interruption.control
        )
        var hasFailure = false
        for identifier in try Operands.expanded(operands) where !interruption.control.isStopped {
            do {
                let asset = try AssetArguments.asset(identifier, in: library)
                for file in try export.export(asset) { try report(file, of: asset) }
            } catch let error as OutputClosed {
                throw error
            } catch {
                // After an interruption, the command ends with the signal's error instead of this
                // one.
                if interruption.control.isStopped { break }
                hasFailure = true
                try report(error, of: identifier)
            }
            try StandardOutput.shared.flush()
        }
        if let error = interruption.error { throw error }
        if hasFailure { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ file: AssetExport.ExportedFile, of asset: PHAsset) throws {
        guard output.json else {
            try StandardOutput.shared.write(TerminalStyle.safe(file.path) + "\n")
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", asset.localIdentifier)
        object.add("outcome", "exported")
        object.add("type", file.role.name)
        object.add("path", file.path)
        object.add("reason", nil as String?)
        try StandardOutput.shared.write(object.line + "\n")
    }

    private func report(_ error: any Error, of identifier: String) throws {
        let failure = LibraryFailure(error)
        guard output.json else {
            StandardError.shared.say("photos: " + TerminalStyle.safe(failure.description))
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", identifier)
        object.add("outcome", "failed")
        object.add("type", nil as String?)
        object.add("path", nil as String?)
        object.add("reason", failure.description)
        try StandardOutput.shared.write(object.line + "\n")
    }
}

extension ExportCommand {
    /// Exports the whole library.
    private func exportLibrary() throws {
        let interruption = Interruption()
        let path = try TextPath.absolute(folder)
        let library = try location.open()
        var options = LibraryExport.Options()
        options.includesHidden = hidden
        options.includesDeleted = deleted
        options.albums = (albums ?? .links).form
        let export = LibraryExport(
            of: library,
            to: URL(filePath: path, directoryHint: .isDirectory),
            options: options,
            control: interruption.control
        )
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try export.run { progress in
            try StandardOutput.shared.flush()
            bar.show(Double(progress.assets) / Double(max(1, progress.total)))
        } handler: { outcome in
            try report(outcome)
        }
        bar.finish()
        try StandardOutput.shared.flush()
        if !output.json { StandardError.shared.say(Self.text(summary)) }
        if let error = interruption.error { throw error }
        let failures = [.missing, .failed].compactMap { summary.counts[$0] }
        if !failures.isEmpty { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ outcome: LibraryExport.Outcome) throws {
        guard output.json else {
            let style: TerminalStyle? =
                switch outcome.kind {
                // Written, but not with everything.
                case .exported, .unchanged: outcome.reason == nil ? nil : .yellow
                case .missing, .failed: .red
                case .stale: .yellow
                }
            guard let style else { return }
            let label = style(Columns.pad(outcome.kind.rawValue, to: 8))
            let text = [outcome.path, outcome.reason].compactMap(\.self)
                .map(TerminalStyle.safe).joined(separator: "  ")
            return try StandardOutput.shared.write(label + "  " + text + "\n")
        }
        var object = JSONObject()
        object.add("localIdentifier", outcome.localIdentifier)
        object.add("outcome", outcome.kind.rawValue)
        object.add("type", outcome.role?.name)
        object.add("path", outcome.path)
        object.add("reason", outcome.reason)
        try StandardOutput.shared.write(object.line + "\n")
    }

    private static func text(_ summary: LibraryExport.Summary) -> String {
        let counts = LibraryExport.Outcome.Kind.allCases.compactMap { kind in
            summary.counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        var text =
            counts.isEmpty ? "Nothing to export." : "Files: " + counts.joined(separator: ", ") + "."
        if summary.skippedHidden > 0 {
            text += " \(summary.skippedHidden) hidden photos were not exported (--hidden)."
        }
        if summary.skippedDeleted > 0 {
            text += " \(summary.skippedDeleted) photos in Recently Deleted were not exported"
            text += " (--deleted)."
        }
        if summary.wasStopped { text += "\nInterrupted. Run the command again to continue." }
        return text
    }
}

/// The value of `--albums`: how albums are exported, as in `LibraryExport.Albums`.
enum ExportedAlbums: String, ExpressibleByArgument, CaseIterable {
    case links, copies, none

    var form: LibraryExport.Albums {
        switch self {
        case .links: .links
        case .copies: .copies
        case .none: .none
        }
    }
}

/// The flags for the exported version, as in `AssetExport.Version`.
enum ExportVersion: String, EnumerableFlag {
    case original, current

    static func help(for value: ExportVersion) -> ArgumentHelp? {
        switch value {
        case .original: "Export the originals, with everything that belongs to them (default)."
        case .current: "Export what is shown: the edit if there is one, otherwise the original."
        }
    }

    var version: AssetExport.Version {
        switch self {
        case .original: .original
        case .current: .current
        }
    }
}
