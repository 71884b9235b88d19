import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Shows or sets whether local originals are removed to keep space free.
struct CloudOptimizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimize",
        abstract: "Remove originals from this computer that the cloud library has.",
        discussion: """
            With on, originals are removed after each session as long as too little space is free \
            on the volume of the library: those first that were not opened for the longest time. \
            Only originals are removed whose encrypted copies were read from the store just \
            before. A picture of up to 2,048 pixels stays of each photo; the original is \
            downloaded when a program asks for it. Edits stay, and so do originals of albums of \
            photos cloud keep, and of photos that became favorites in the last 30 days.

            With off, no original is removed, and those that were are downloaded again. Without \
            either, nothing is changed.

            The JSON object has the keys optimized, keepFree and free (bytes), removedFiles, and \
            keptAlbums (identifiers).

            EXAMPLES
              photos cloud optimize
              photos cloud optimize on
              photos cloud optimize on --keep-free 50GB
              photos cloud optimize off
            """
    )

    enum Setting: String, ExpressibleByArgument, CaseIterable {
        case on
        case off
    }

    @OptionGroup var location: LibraryOptions

    @Argument(help: "Whether originals are removed: on or off.")
    var setting: Setting?

    @Option(
        help: ArgumentHelp(
            "The space to keep free.",
            discussion: "Default: a tenth of the volume, and at least 20 GB.",
            valueName: "size"
        )
    )
    var keepFree: ByteSize?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keepFree == nil || setting == .on else {
            throw ValidationError("--keep-free requires on.")
        }
    }

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        let storage: CloudStorage
        switch setting {
        case .on: storage = try cloud.optimizeStorage(keepingFree: keepFree?.bytes)
        case .off: storage = try cloud.keepAllOriginals()
        case nil:
            guard try cloud.state().activity != .none else { throw CloudSyncCommand.notJoined }
            storage = try cloud.storage()
        }
        guard !output.json else {
            return try StandardOutput.shared.write(CloudJSON.storage(storage).line + "\n")
        }
        var rows = Columns()
        rows.add(["Originals", storage.isOptimized ? "removed to free space" : "all stay here"])
        rows.add(["Keep free", SizeText.bytes(storage.keepFree)])
        rows.add(["Free", SizeText.bytes(storage.freeSpace)])
        rows.add(["Removed", Wording.count(storage.removedFileCount, "file")])
        for album in storage.keptAlbums { rows.add(["Kept album", album]) }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
        if setting != nil, cloud.isAttended {
            StandardError.shared.say("photos: Next: photos cloud sync")
        }
    }
}

/// A size in bytes, parsed from a text such as `50GB`.
struct ByteSize: ExpressibleByArgument {
    let bytes: Int64

    init?(argument: String) {
        let text = argument.uppercased().filter { $0 != " " }
        let units: [(String, Double)] = [
            ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1), ("", 1),
        ]
        guard let (name, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(name.count)), number.isFinite, number >= 0,
            let bytes = Int64(exactly: (number * factor).rounded())
        else { return nil }
        self.bytes = bytes
    }
}
