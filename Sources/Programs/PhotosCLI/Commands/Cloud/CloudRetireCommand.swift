import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Removes a device from the cloud library.
struct CloudRetireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Remove a computer from the cloud library.",
        discussion: """
            Change the credentials of the bucket first: a computer that has them can still delete \
            everything. The removed computer keeps the photos that it has, and can read nothing \
            that is new. A new recovery code is printed; the former one and the former passphrase \
            open nothing that is written from now on.

            The JSON object has the keys device and recoveryCode.

            EXAMPLES
              photos cloud retire 'Old laptop'
              photos cloud retire 5c9e3b50 --yes --json
            """
    )

    @OptionGroup var location: LibraryOptions

    @Argument(help: "The identifier of the computer, the beginning of it, or its name.")
    var device: String

    @OptionGroup var passphrase: PassphraseOptions

    @Flag(help: "Remove it without confirmation.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        if !yes {
            let question =
                "Remove \(TerminalStyle.quoted(device))? Its bucket credentials must be changed"
                + " first. Type yes: "
            guard let answer = HiddenInput.read(question) else { throw Confirmation.nobodyToAsk }
            guard answer.lowercased() == "yes" else { throw ExitCode(ExitStatus.failed) }
        }
        var secret = try passphrase.read()
        if secret == nil, !yes { secret = HiddenInput.read("New passphrase (empty for none): ") }
        if secret?.isEmpty == true { secret = nil }
        let code = try CloudLibrary(of: location.url).retire(device, passphrase: secret)
        if secret == nil {
            StandardError.shared.say(
                "photos: No passphrase opens the new keys, only the recovery code."
            )
        }
        if output.json {
            var object = JSONObject()
            object.add("device", device)
            object.add("recoveryCode", code)
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            try StandardOutput.shared.write(
                """
                \(TerminalStyle.quoted(device)) was removed.

                New recovery code: \(code)

                Write it down; it replaces the former one and is not shown again.

                """
            )
        }
    }
}
