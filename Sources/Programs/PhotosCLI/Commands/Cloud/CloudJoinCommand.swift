import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Joins a cloud library.
struct CloudJoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Make this library part of a cloud library.",
        discussion: """
            The passphrase or the recovery code opens the cloud library. It is read from the \
            terminal, or from the file of --passphrase-file. Photos of this library become photos \
            of the cloud library; those that both have become one. The library daemon exchanges them \
            if it runs; otherwise photos cloud sync does.

            The JSON object has the keys cloudLibrary and device.

            EXAMPLES
              photos cloud join file:///mnt/nas/Photos
              photos --library ~/Second.photolibrary cloud join s3://my-bucket/photos \
            --endpoint https://s3.example.org
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var device: DeviceNameOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let place = try store.place()
        guard
            let secret = try passphrase.read()
                ?? HiddenInput.read("Passphrase or recovery code: ")
        else {
            throw ValidationError(
                "There is no terminal to ask for the passphrase. Use --passphrase-file."
            )
        }
        let cloud = try CloudLibrary(of: location.url)
        try cloud.join(place, with: Self.secret(secret), name: device.text)
        let state = try cloud.state()
        if output.json {
            var object = JSONObject()
            object.add("cloudLibrary", state.cloudLibrary)
            object.add("device", state.device)
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            try StandardOutput.shared.write(
                """
                This library is part of the cloud library at \
                \(TerminalStyle.safe(state.address ?? store.address)).
                Next: photos cloud sync

                """
            )
        }
    }

    /// Interprets a text as a recovery code if it has the form of one, and otherwise as a
    /// passphrase.
    ///
    /// A recovery code consists of 28 letters and digits in groups of four; every other text is a
    /// passphrase.
    private static func secret(_ text: String) -> CloudLibrary.Secret {
        let groups = text.split { $0 == "-" || $0 == " " }
        let isCode =
            groups.joined().count == 28 && groups.count >= 7
            && groups.allSatisfy {
                $0.count == 4 && $0.allSatisfy { $0.isASCII && $0.isLetter || $0.isNumber }
            }
        return isCode ? .recoveryCode(text) : .passphrase(text)
    }
}
