import ArgumentParser
import Foundation
import PhotosJSON
import PhotosManagement

/// Backs up the library.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the whole library to another folder, best on another disk.",
        discussion: """
            The library may be in use meanwhile. The backup is a library itself, with originals, \
            edits, albums, Recently Deleted and history. The command restore-backup restores it, as \
            does copying the folder with any program. Thumbnails are left out.

            A later backup to the same folder copies only what is new, and removes the files of \
            photos that were permanently deleted since. Until it is complete, the folder contains \
            the former backup, even after a crash; the same command continues an interrupted \
            backup. The SHA-256 of every copied file is compared with that of the import.

            If the backup is missing although one was completed at that path, its disk is probably \
            not mounted, and nothing is written. --new makes a new backup there, such as after you \
            deleted the former one.

            The exit status is 1 if a file of the library is missing or damaged; everything else \
            is backed up. With --json, each such file has a line, and then the backup has one \
            with the keys path, outcome, libraryIdentifier, version, files, bytes, copiedFiles, \
            copiedBytes, removedFiles and problems.

            EXAMPLES
              photos backup /media/disk/Backup.photolibrary
              photos backup /media/disk/Backup.photolibrary --full
              photos backup /media/disk/Backup.photolibrary --new
              photos backup /media/disk/Backup.photolibrary --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Also read the files that the backup already has, and replace damaged ones.")
    var full = false

    @Flag(help: "Make a new backup where an earlier one is missing.")
    var new = false

    @Argument(
        help: "The backup's folder, which is created if it does not exist.",
        completion: .directory
    )
    var destination: String

    func validate() throws {
        if destination.isEmpty { throw ValidationError("A path must not be empty.") }
    }

    func run() throws {
        let interruption = Interruption()
        let backup = LibraryBackup(
            of: location.url,
            to: URL(
                filePath: try TextPath.absolute(destination),
                directoryHint: .isDirectory
            ),
            readsEverything: full,
            replacesMissing: new,
            control: interruption.control
        )
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try backup.run { progress in
            bar.show(progress)
        } handler: { problem in
            try BackupLines.report(problem, output)
        }
        bar.finish()
        if summary.wasStopped {
            if !output.json {
                StandardError.shared.say("Interrupted. Run the command again to continue.")
            }
            if let error = interruption.error { throw error }
        }
        try BackupLines.report(summary, outcome: "backedUp", output)
        if summary.problems > 0 { throw ExitCode(ExitStatus.failed) }
    }
}

/// Prints the results of backups and restores.
enum BackupLines {
    /// Prints why a file could not be copied, as text or as a JSON line.
    static func report(_ problem: LibraryBackup.Problem, _ output: OutputOptions) throws {
        guard output.json else {
            let text = TerminalStyle.safe("\(problem.message) \(problem.advice)")
            let label = TerminalStyle.red(Columns.pad(problem.kind.rawValue, to: 10))
            return try StandardOutput.shared.write(label + "  " + text + "\n")
        }
        var object = JSONObject()
        object.add("localIdentifier", problem.localIdentifier)
        object.add("outcome", problem.kind == .missing ? "missing" : "failed")
        object.add("kind", problem.kind.rawValue)
        object.add("path", problem.path)
        object.add("reason", "\(problem.message) \(problem.advice)")
        try StandardOutput.shared.write(object.line + "\n")
    }

    /// Prints the result of a backup or a restore.
    static func report(
        _ summary: LibraryBackup.Summary,
        outcome: String,
        _ output: OutputOptions
    ) throws {
        let path = SourcePath(summary.url.path(percentEncoded: false)).absolute().description
        guard output.json else {
            var parts = [
                "\(summary.copiedFiles) of \(summary.files) files copied"
                    + " (\(SizeText.bytes(summary.copiedBytes)))"
            ]
            if summary.removedFiles > 0 { parts.append("\(summary.removedFiles) removed") }
            if summary.problems > 0 { parts.append("\(summary.problems) missing or damaged") }
            StandardError.shared.say(parts.joined(separator: ", ") + ".")
            if let former = summary.replacedLibrary {
                let place = TerminalStyle.safe(former.path(percentEncoded: false))
                StandardError.shared.say(
                    "The former library was moved to \(place). Remove it when you do not need it."
                )
            }
            return
        }
        var object = JSONObject()
        object.add("path", trimmed(path))
        object.add("outcome", outcome)
        object.add("libraryIdentifier", summary.libraryIdentifier)
        object.add("version", summary.version)
        object.add("files", summary.files)
        object.add("bytes", summary.bytes)
        object.add("copiedFiles", summary.copiedFiles)
        object.add("copiedBytes", summary.copiedBytes)
        object.add("removedFiles", summary.removedFiles)
        object.add("problems", summary.problems)
        if outcome == "restored" {
            let former = summary.replacedLibrary?.path(percentEncoded: false)
            object.add("replacedLibrary", former.map(trimmed))
        }
        try StandardOutput.shared.write(object.line + "\n")
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
