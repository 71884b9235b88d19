import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Leaves the cloud library.
struct CloudLeaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Make this library an ordinary one again.",
        discussion: """
            All photos stay in this library, and in the store for the other computers. The keys \
            are removed from this computer. If photos are only in the cloud, nothing is done; sync \
            first, or give --abandon to leave them behind. On another computer, photos cloud \
            retire removes this one from the list.

            The JSON object has the key left, the number of files that stay behind.

            EXAMPLES
              photos cloud leave
            """
    )

    @OptionGroup var location: LibraryOptions

    @Flag(help: "Leave photos behind whose files are only in the cloud.")
    var abandon = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        let state = try cloud.state()
        guard state.activity != .none else { throw CloudSyncCommand.notJoined }
        let removed = try cloud.storage().removedFileCount
        try cloud.leave(abandoning: abandon)
        if output.json {
            var object = JSONObject()
            object.add("left", state.pendingDownloads + removed)
            try StandardOutput.shared.write(object.line + "\n")
        } else {
            try StandardOutput.shared.write("The library is no longer part of a cloud library.\n")
        }
    }
}
