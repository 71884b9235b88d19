import ArgumentParser

/// Groups the commands for the cloud library.
struct CloudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Keep the same photos on several computers.",
        discussion: """
            A cloud library is a library that several computers share through an S3 bucket or a \
            directory, such as a NAS. Everything in it is encrypted before it leaves the computer. \
            Each computer has all photos, and each can change them, also without a connection. \
            photos cloud optimize removes originals where space is short.

            The library daemon syncs in the background. Where none runs, photos cloud sync does it \
            in the foreground.

            EXAMPLES
              photos cloud create file:///mnt/nas/Photos
              photos cloud sync --once
              photos cloud join file:///mnt/nas/Photos
              photos cloud status
            """,
        subcommands: [
            CloudCreateCommand.self, CloudJoinCommand.self, CloudSyncCommand.self,
            CloudStatusCommand.self, CloudDevicesCommand.self, CloudRetireCommand.self,
            CloudPassphraseCommand.self,
            CloudVerifyCommand.self, CloudDownloadCommand.self, CloudOptimizeCommand.self,
            CloudKeepCommand.self, CloudCredentialsCommand.self, CloudMoveCommand.self,
            CloudLeaveCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}
