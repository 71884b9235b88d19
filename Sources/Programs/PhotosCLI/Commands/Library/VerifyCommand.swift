import ArgumentParser
import Foundation
import PhotosManagement
import PhotosJSON

/// Verifies the library.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the library: its database, its files and how they match.",
        discussion: """
            Prints one line per finding, with advice. Notes are harmless: for example, a crash \
            left files behind, or other users can access the library. Damage means that something \
            in the library is missing or wrong. The exit status is 1 if there is damage that was \
            not repaired. A repair also makes the library private, and its originals read-only.

            If the database's write-ahead log was lost, the library opens read-only. Put the file \
            library.sqlite-wal back, or accept the older state with --repair.

            With --from, a repair takes missing and damaged files from a backup or another library \
            that has the same bytes, by their SHA-256. Damaged files are kept in the folder \
            leftovers of the library. With --full, all damaged files are found. Files of earlier \
            edits, which an undo can restore, are checked and repaired as well.

            EXAMPLES
              photos verify
              photos verify --full
              photos verify --repair --json
              photos verify --full --repair --from /media/disk/Backup.photolibrary
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Also read every file completely, and compare its SHA-256.")
    var full = false

    @Flag(help: "Repair what can be repaired without guessing.")
    var repair = false

    @Option(
        help: ArgumentHelp(
            "A backup or another library, from which --repair takes missing and damaged files.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var from: String?

    func validate() throws {
        guard let from else { return }
        if !repair { throw ValidationError("--from requires --repair.") }
        if from.isEmpty { throw ValidationError("--from requires the path of a folder.") }
    }

    func run() throws {
        let interruption = Interruption()
        var options = LibraryCheck.Options()
        options.readsEverything = full
        options.repairs = repair
        options.repairSource = try from.map {
            URL(filePath: try TextPath.absolute($0), directoryHint: .isDirectory)
        }
        let library = try location.open(acceptsMissingChanges: repair)
        let check = LibraryCheck(library: library, options: options, control: interruption.control)
        var bar = ProgressBar()
        let summary = try check.run { share in
            bar.show(share)
        } handler: { finding in
            try report(finding)
            try StandardOutput.shared.flush()
        }
        bar.finish()
        if let error = interruption.error { throw error }
        if !output.json { StandardError.shared.say(Self.text(summary)) }
        if summary.damages > 0 { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ finding: LibraryCheck.Finding) throws {
        if output.json {
            var object = JSONObject()
            object.add("severity", finding.severity.rawValue)
            object.add("kind", finding.kind)
            object.add("message", finding.message)
            object.add("advice", finding.advice)
            object.add("path", finding.path)
            object.add("localIdentifier", finding.localIdentifier)
            object.add("isRepaired", finding.isRepaired)
            try StandardOutput.shared.write(object.line + "\n")
            return
        }
        let style: TerminalStyle =
            switch finding.severity {
            case _ where finding.isRepaired: .green
            case .note: .yellow
            case .damage: .red
            }
        let label = finding.isRepaired ? "repaired" : finding.severity.rawValue
        let text = TerminalStyle.safe("\(finding.message) \(finding.advice)")
        try StandardOutput.shared.write(style(Columns.pad(label, to: 8)) + "  " + text + "\n")
    }

    private static func text(_ summary: LibraryCheck.Summary) -> String {
        guard summary.notes + summary.damages + summary.repaired > 0 else {
            return "No problems found."
        }
        let counts = [
            (summary.damages, "damaged"), (summary.repaired, "repaired"), (summary.notes, "noted"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
