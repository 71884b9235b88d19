import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Creates a cloud library.
struct CloudCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a cloud library of this library.",
        discussion: """
            Checks the store, makes the cloud library and prints its recovery code, which opens the \
            photos if all computers are lost. Write it down: it is shown once and stored nowhere. \
            A passphrase opens them as well. The library daemon uploads the photos if it \
            runs; otherwise photos cloud sync does.

            The JSON object has the keys cloudLibrary, recoveryCode and probe.

            EXAMPLES
              photos cloud create file:///mnt/nas/Photos
              photos cloud create s3://my-bucket/photos --endpoint https://s3.example.org
              photos cloud create s3://my-bucket --region eu-central-1 --passphrase-file secret
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var device: DeviceNameOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let place = try store.place()
        var secret = try passphrase.read()
        if secret == nil {
            secret = HiddenInput.read("Passphrase (empty for none): ")
            if let typed = secret, !typed.isEmpty {
                guard HiddenInput.read("The same again: ") == typed else {
                    throw ValidationError("The passphrases differ. Nothing was made.")
                }
            }
        }
        if secret?.isEmpty == true { secret = nil }
        let cloud = try CloudLibrary(of: location.url)
        let made = try cloud.create(at: place, passphrase: secret, name: device.text)
        let state = try cloud.state()
        guard !output.json else {
            var object = JSONObject()
            object.add("cloudLibrary", state.cloudLibrary)
            object.add("recoveryCode", made.recoveryCode)
            object.add("probe", made.probe)
            return try StandardOutput.shared.write(object.line + "\n")
        }
        try StandardOutput.shared.write(
            """
            The cloud library was made at \(TerminalStyle.safe(state.address ?? store.address)).
            \(TerminalStyle.safe(made.probe))

            Recovery code: \(made.recoveryCode)

            Write it down and keep it away from this computer. It is not shown again, and without \
            it\(secret == nil ? "" : " or the passphrase") nobody can read the photos in the store.
            Next: photos cloud sync

            """
        )
    }
}
