import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Shows the state of the cloud library.
struct CloudStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the cloud library.",
        discussion: """
            The JSON object has the keys state (none, idle, syncing or failed), cloudLibrary, \
            device, address, lastSync, pending (changes, uploads and downloads), alarms, error and \
            host, which is daemon or null. lastSync, pending changes and alarms are those since \
            the start of the daemon.

            EXAMPLES
              photos cloud status
              photos cloud status --json | jq .pending.downloads
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        let state = try cloud.state()
        guard !output.json else {
            let object = CloudJSON.status(state, isAttended: cloud.isAttended)
            return try StandardOutput.shared.write(object.line + "\n")
        }
        guard state.activity != .none else {
            return try StandardOutput.shared.write(
                "The library is not part of a cloud library.\n"
            )
        }
        var rows = Columns()
        rows.add(["State", state.activity.rawValue])
        if let address = state.address { rows.add(["Store", TerminalStyle.safe(address)]) }
        if let library = state.cloudLibrary { rows.add(["Cloud library", library]) }
        if let device = state.device { rows.add(["This device", device]) }
        rows.add(["Last sync", state.lastSync.map(LocalTime.zoned) ?? "not since the start"])
        rows.add(["To publish", Wording.count(state.pendingChanges, "change")])
        rows.add(["To upload", Wording.count(state.pendingUploads, "file")])
        rows.add(["To download", Wording.count(state.pendingDownloads, "file")])
        rows.add(["Synced by", cloud.isAttended ? "photos cloud sync" : "the library daemon"])
        for alarm in state.alarms { rows.add(["Alarm", TerminalStyle.safe(alarm)]) }
        if let failure = state.failure { rows.add(["Error", TerminalStyle.safe(failure)]) }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
    }
}
