import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Switches to a new address of the same cloud library.
struct CloudMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Use the cloud library at another address.",
        discussion: """
            For a share that is mounted elsewhere, a service with another endpoint, or a store \
            that was copied completely. Nothing is copied. The store at the new address is checked: \
            it must contain this cloud library with all that this computer has seen of it, and be \
            writable. If the check fails, nothing changes. Other computers keep their addresses.

            The JSON object has the keys address and probe.

            EXAMPLES
              photos cloud move file:///media/nas/Photos
              photos cloud move s3://my-bucket/photos --endpoint https://s3.example.org
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        guard try cloud.state().activity != .none else { throw CloudSyncCommand.notJoined }
        let probe = try cloud.move(to: store.place())
        try Self.report(
            "The cloud library is used there from now on.",
            probe: probe,
            of: cloud,
            output
        )
    }

    /// Prints the store's address, a sentence, and the result of probing the store.
    ///
    /// Used by the commands that change the connection to the store.
    static func report(
        _ sentence: String,
        probe: String,
        of cloud: CloudLibrary,
        _ output: OutputOptions
    ) throws {
        let address = try cloud.state().address
        guard !output.json else {
            var object = JSONObject()
            object.add("address", address)
            object.add("probe", probe)
            return try StandardOutput.shared.write(object.line + "\n")
        }
        let place = TerminalStyle.safe(address ?? "")
        let text = "\(place)\n\(sentence)\n\(TerminalStyle.safe(probe))\n"
        try StandardOutput.shared.write(text)
    }
}
