import ArgumentParser
import Foundation
import Glibc
import PhotosManagement

/// The `photos` command.
@main
struct PhotosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "Manage a photo library from the command line.",
        discussion: """
            A library is a folder that contains the originals of photos and movies, and a database \
            that describes them. Programs use it through the PhotoKit API, and this command from a \
            shell. Results go to standard output, everything else to standard error. The exit \
            status is 0 on success, 1 if something failed, and 2 if the command line is invalid.

            EXAMPLES
              photos create
              photos import /media/camera/DCIM
              photos list --predicate 'mediaType = 2' --sort creationDate:desc --limit 10
              photos set 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --favorite true
              photos album create 'Summer 2024'
              photos undo
              photos image 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o photo.jpg
              photos export 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o ~/Desktop
              photos verify --full
            """,
        version: SoftwareVersion.current,
        subcommands: [
            CreateCommand.self, StatusCommand.self, ImportCommand.self, ListCommand.self,
            ShowCommand.self,
            AlbumsCommand.self, AlbumCommand.self, FolderCommand.self, MomentsCommand.self,
            BurstsCommand.self, DuplicatesCommand.self, RefreshCommand.self,
            SetCommand.self, EditCommand.self, RevertCommand.self, DeleteCommand.self,
            RestoreCommand.self, PurgeCommand.self,
            UndoCommand.self, RedoCommand.self,
            WatchCommand.self, HistoryCommand.self, ImageCommand.self, RenditionsCommand.self,
            ExportCommand.self, BackupCommand.self, RestoreBackupCommand.self, VerifyCommand.self,
            AccessCommand.self, ServeCommand.self, DaemonCommand.self, WatchFolderCommand.self,
            CloudCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions

    /// Runs the command line of the process and exits.
    static func main() {
        StandardStreams.hold()
        // When the reader closes the pipe (`photos list | head`), the failing write reports it.
        signal(SIGPIPE, SIG_IGN)
        TerminationSignals.handle()
        CommandLog.start()
        do {
            let arguments = DeprecatedArguments.replaced(in: CommandLine.arguments)
            var command = try parsed(arguments)
            try AddressSpace.check()
            try command.run()
            try StandardOutput.shared.flush()
            ExitStatus.end(ExitStatus.done)
        } catch {
            ExitStatus.exit(with: error)
        }
    }

    /// Parses the arguments into a command.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        try Verbs.check(arguments)
        let shortened = Operands.shortened(arguments)
        do {
            return try parseAsRoot(shortened)
        } catch  where shortened != arguments {
            // The parser's message would name the placeholder, so the full arguments are parsed
            // again.
            return try parseAsRoot(arguments)
        }
    }
}
