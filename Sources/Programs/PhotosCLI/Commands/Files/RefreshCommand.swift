import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Rereads the originals of assets.
struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Read the metadata of original files again.",
        discussion: """
            Metadata is read when files are imported. For assets that an earlier version imported, \
            this command reads it again and updates only values that nobody changed: dates, \
            places, titles and other values that were set in the library are kept. A picture that \
            was mistaken for a sidecar becomes an asset of its own. Every 500 assets are one \
            change, which photos undo reverts. Running the command again continues an interrupted \
            run. The exit status is 1 if an original is missing or damaged; the other assets are \
            refreshed.

            EXAMPLES
              photos refresh --all --dry-run
              photos refresh --all
              photos refresh 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: AssetArguments.help)
    var operands: [String] = []

    @Flag(help: "Refresh all assets that an earlier version read, including Recently Deleted.")
    var all = false

    @Flag(help: "Show what would change, without changing anything.")
    var dryRun = false

    func validate() throws {
        guard operands.isEmpty == all else {
            throw ValidationError(
                all
                    ? "Give either assets or --all, not both."
                    : "Give the assets to refresh, or --all."
            )
        }
    }

    func run() throws {
        let interruption = Interruption()
        let library = try location.open()
        let refresh = LibraryRefresh(
            library: library,
            assets: all ? nil : try assets(in: library),
            isDryRun: dryRun,
            control: interruption.control
        )
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try refresh.run { share in
            try StandardOutput.shared.flush()
            bar.show(share)
        } handler: { asset in
            try report(asset)
        }
        bar.finish()
        try StandardOutput.shared.flush()
        if !output.json { StandardError.shared.say(text(summary)) }
        if let error = interruption.error { throw error }
        if summary.failed + summary.missing > 0 { throw ExitCode(ExitStatus.failed) }
    }

    /// Returns the assets that are named on the command line.
    ///
    /// With `--json`, if some are not found, the failure is printed as one line per identifier.
    private func assets(in library: PhotoLibraryBundle) throws -> [PHAsset] {
        let identifiers = try Operands.expanded(operands)
        do {
            return try AssetArguments.assets(identifiers, in: library)
        } catch
            where output.json && PhotosCommand.exitCode(for: error) != .validationFailure
        {
            let reason = LibraryFailure(error).description
            for identifier in identifiers {
                var object = JSONObject(outcome: "failed", of: identifier, reason: reason)
                object.add("changes", [JSONObject]())
                try StandardOutput.shared.write(object.line + "\n")
            }
            throw ExitCode(ExitStatus.failed)
        }
    }

    private func report(_ asset: AssetRefresh) throws {
        guard !output.json else {
            try StandardOutput.shared.write(JSONObject(asset).line + "\n")
            return
        }
        // With `--all`, unchanged assets are not listed.
        guard asset.outcome != .unchanged || !all else { return }
        let style: TerminalStyle =
            switch asset.outcome {
            case .refreshed: .green
            case .unchanged: .dim
            case .failed, .missing: .red
            }
        var columns = [
            style(Columns.pad(asset.outcome.rawValue, to: 9)),
            TerminalStyle.dim(asset.localIdentifier),
        ]
        if let name = asset.originalFilename { columns.append(TerminalStyle.safe(name)) }
        let details = asset.changes.map(Self.text) + [asset.reason].compactMap(\.self)
        if !details.isEmpty { columns.append(TerminalStyle.safe(details.joined(separator: "; "))) }
        try StandardOutput.shared.write(columns.joined(separator: "  ") + "\n")
    }

    // MARK: - Words

    private func text(_ summary: LibraryRefresh.Summary) -> String {
        let counts = [
            (summary.refreshed, dryRun ? "to refresh" : "refreshed"),
            (summary.unchanged, "unchanged"), (summary.failed, "failed"),
            (summary.missing, "missing"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var text =
            parts.isEmpty
            ? "Nothing to refresh: the current version has read all assets."
            : parts.joined(separator: ", ") + "."
        if summary.refreshed > 0, dryRun { text += " Nothing was changed." }
        if summary.refreshed > 0, !dryRun {
            text += " Use photos undo to revert, 500 assets at a time."
        }
        return summary.wasStopped
            ? text + "\nInterrupted. Run the command again to continue." : text
    }

    /// Formats a change, for example as `title: “Old” → none`.
    private static func text(_ change: AssetRefresh.Change) -> String {
        "\(change.property): \(text(change.oldValue)) → \(text(change.newValue))"
    }

    private static func text(_ value: AssetRefresh.Value?) -> String {
        switch value {
        case nil: "none"
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .date(let date): LocalTime.text(date)
        case .location(let latitude, let longitude, let altitude):
            ["\(latitude), \(longitude)", altitude.map { "\($0) m" }].compactMap(\.self)
                .joined(separator: ", ")
        case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
        }
    }
}

extension JSONObject {
    /// Creates the JSON representation of an asset's refresh.
    init(_ asset: AssetRefresh) {
        self.init(
            outcome: asset.outcome.rawValue,
            of: asset.localIdentifier,
            reason: asset.reason
        )
        add(
            "changes",
            asset.changes.map { change in
                var object = JSONObject()
                object.add("property", change.property)
                object.add("old", change.oldValue)
                object.add("new", change.newValue)
                return object
            }
        )
    }

    private mutating func add(_ key: String, _ value: AssetRefresh.Value?) {
        switch value {
        case nil: add(key, nil as String?)
        case .text(let text): add(key, text)
        case .number(let number): add(key, number)
        case .date(let date): add(key, date)
        case .location(let latitude, let longitude, let altitude):
            var place = JSONObject()
            place.add("latitude", latitude)
            place.add("longitude", longitude)
            place.add("altitude", altitude)
            add(key, place)
        case .texts(let texts): add(key, texts)
        }
    }
}
