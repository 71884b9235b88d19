import ArgumentParser
import PhotosManagement
import PhotosJSON

/// Generates missing renditions.
struct RenditionsBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Generate missing thumbnails.",
        discussion: """
            After Ctrl-C, the same command continues where it stopped: existing thumbnails are not \
            generated again. Programs that show photos in the meantime have priority. The exit \
            status is 1 if a thumbnail could not be generated; each failure is listed with its \
            reason.

            EXAMPLES
              photos renditions build
              photos renditions build --size all --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "The sizes: grid (256 pixels), screen (1024 pixels), or all.")
    var size = RenditionSizes.grid

    func run() throws {
        let interruption = Interruption()
        let library = try location.open()
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try LibraryRenditions(library: library).build(
            sizes: size.sizes,
            control: interruption.control
        ) { progress in
            try StandardOutput.shared.flush()
            bar.show(progress)
        } handler: { outcome in
            try report(outcome)
        }
        bar.finish()
        try StandardOutput.shared.flush()
        if !output.json { StandardError.shared.say(Self.text(summary)) }
        if let error = interruption.error { throw error }
        if summary.failed > 0 { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ outcome: LibraryRenditions.Outcome) throws {
        let reason = outcome.error.map { LibraryFailure($0).description }
        if output.json {
            var object = JSONObject()
            object.add("localIdentifier", outcome.localIdentifier)
            object.add("size", outcome.size.rawValue)
            object.add("outcome", reason == nil ? "made" : "failed")
            object.add("reason", reason)
            try StandardOutput.shared.write(object.line + "\n")
        } else if let reason {
            let text = TerminalStyle.safe("\(outcome.localIdentifier)  \(reason)")
            try StandardOutput.shared.write(TerminalStyle.red("failed") + "  " + text + "\n")
        }
    }

    private static func text(_ summary: LibraryRenditions.Summary) -> String {
        let counts = [
            (summary.made, "generated"), (summary.present, "already present"),
            (summary.failed, "failed"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let text = parts.isEmpty ? "Nothing to generate" : parts.joined(separator: ", ")
        return summary.wasStopped
            ? text + "\nInterrupted. Run the command again to continue." : text
    }
}

/// The value of `--size`: the sizes of the renditions to generate.
enum RenditionSizes: String, ExpressibleByArgument, CaseIterable {
    case grid, screen, all

    init?(argument: String) {
        switch argument {
        case "grid", "256": self = .grid
        case "screen", "1024": self = .screen
        case "all": self = .all
        default: return nil
        }
    }

    var sizes: [LibraryRenditions.Size] {
        switch self {
        case .grid: [.grid]
        case .screen: [.screen]
        case .all: LibraryRenditions.Size.allCases
        }
    }
}
