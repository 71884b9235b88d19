import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Replaces the credentials of the bucket.
struct CloudCredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "Replace the credentials of the cloud library's bucket.",
        discussion: """
            Takes the credentials from where photos cloud create takes them, and checks the store \
            with them: it must contain this cloud library and be writable. Then they replace the \
            stored ones, also in a running library daemon. If the check fails, nothing changes. \
            Values of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are stored on this computer; of \
            a profile, only its name and the path of its file are.

            The JSON object has the keys address and probe.

            EXAMPLES
              photos cloud credentials
              photos cloud credentials --credentials-file ~/photos.credentials
              AWS_PROFILE=photos photos cloud credentials
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var credentials: CredentialsOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        let state = try cloud.state()
        guard state.activity != .none else { throw CloudSyncCommand.notJoined }
        if let address = state.address, address.hasPrefix("file:") {
            throw ValidationError(
                "The cloud library at \(TerminalStyle.safe(address)) is in a folder, which has no"
                    + " credentials. If the folder has moved, use photos cloud move."
            )
        }
        let probe = try cloud.replaceCredentials(credentials.resolve())
        try CloudMoveCommand.report(
            "The new credentials are used from now on.",
            probe: probe,
            of: cloud,
            output
        )
    }
}
