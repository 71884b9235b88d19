import ArgumentParser
import Foundation
import PhotosJSON
import PhotosManagement

/// Restores the library from a backup.
struct RestoreBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Make the library from a backup.",
        discussion: """
            The library is made at the path of --library, or at the default path. The backup is \
            only read, and the SHA-256 of every file is compared with that of the import.

            If the library exists, it must be the one that was backed up. It is moved to a folder \
            beside it and not removed. A library with changes that the backup does not have is \
            replaced only with --discard-newer. Programs that use the library must be restarted.

            The same command continues after an interruption. The exit status is 1 if a file of \
            the backup is missing or damaged; everything else is restored.

            EXAMPLES
              photos restore-backup /media/disk/Backup.photolibrary
              photos restore-backup /media/disk/Backup.photolibrary --discard-newer
              photos restore-backup Backup.photolibrary --library New.photolibrary --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Replace a library that has changes which the backup does not have.")
    var discardNewer = false

    @Argument(help: "The backup's folder.", completion: .directory)
    var source: String

    func validate() throws {
        if source.isEmpty { throw ValidationError("A path must not be empty.") }
    }

    func run() throws {
        let interruption = Interruption()
        let restore = LibraryRestore(
            from: URL(
                filePath: try TextPath.absolute(source),
                directoryHint: .isDirectory
            ),
            to: location.url,
            discardsNewerChanges: discardNewer,
            control: interruption.control
        )
        var bar = ProgressBar()
        defer { bar.finish() }
        let summary = try restore.run { progress in
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
        try BackupLines.report(summary, outcome: "restored", output)
        if summary.problems > 0 { throw ExitCode(ExitStatus.failed) }
    }
}
