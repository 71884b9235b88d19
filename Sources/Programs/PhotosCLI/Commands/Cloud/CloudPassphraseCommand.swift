import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Replaces the passphrase and the recovery code.
struct CloudPassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Replace the passphrase and the recovery code of the cloud library.",
        discussion: """
            Asks for the new passphrase twice, or reads it from --passphrase-file, and prints a new \
            recovery code. The former ones are not needed, and open nothing that is written from \
            now on. What was written before still opens with them in copies of the store that \
            somebody made. The other computers go on without them.

            The JSON object has the keys recoveryCode, published (whether the other computers can \
            read the change already) and formerRemoved (whether the store has nothing left that \
            the former ones open).

            EXAMPLES
              photos cloud passphrase
              photos cloud passphrase --passphrase-file secret --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        guard try cloud.state().activity != .none else { throw CloudSyncCommand.notJoined }
        let made = try cloud.changePassphrase(secret())
        if !made.change.isPublished {
            StandardError.shared.say(
                "photos: The change is not published yet; the next session does it. See photos"
                    + " cloud status."
            )
        }
        guard !output.json else {
            var object = JSONObject()
            object.add("recoveryCode", made.recoveryCode)
            object.add("published", made.change.isPublished)
            object.add("formerRemoved", made.change.areFormerRemoved)
            return try StandardOutput.shared.write(object.line + "\n")
        }
        let former =
            made.change.areFormerRemoved
            ? "Nothing in the store opens with the former ones any more."
            : "What is in the store now still opens with the former ones."
        try StandardOutput.shared.write(
            """
            The passphrase was changed.

            New recovery code: \(made.recoveryCode)

            Write it down; it replaces the former one and is not shown again.
            \(former) Copies that somebody made of the store still do.

            """
        )
    }

    private func secret() throws -> String {
        if let given = try passphrase.read() {
            guard !given.isEmpty else {
                throw ValidationError("The passphrase file has no passphrase in its first line.")
            }
            return given
        }
        guard let typed = HiddenInput.read("New passphrase: "), !typed.isEmpty else {
            throw ValidationError(
                "A passphrase is required. Type it, or use --passphrase-file."
            )
        }
        guard HiddenInput.read("The same again: ") == typed else {
            throw ValidationError("The passphrases differ. Nothing was changed.")
        }
        return typed
    }
}
