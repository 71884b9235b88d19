import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Lists the devices of the cloud library.
struct CloudDevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the computers of the cloud library.",
        discussion: """
            This computer is the first one. Each JSON object has the keys device, name, lastSeen, \
            thisDevice, full (whether it may rely on uploads of others; null for other computers) \
            and retired.

            EXAMPLES
              photos cloud devices
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let devices = try CloudLibrary(of: location.url).devices()
        guard !output.json else {
            for device in devices {
                var object = JSONObject()
                object.add("device", device.identifier)
                object.add("name", device.name)
                object.add("lastSeen", device.lastSeen)
                object.add("thisDevice", device.isThisDevice)
                object.add("full", json: device.isFull.map { $0 ? "true" : "false" } ?? "null")
                object.add("retired", device.isRetired)
                try StandardOutput.shared.write(object.line + "\n")
            }
            return
        }
        var rows = Columns()
        for device in devices {
            let state =
                device.isThisDevice
                ? "this computer"
                : device.isRetired
                    ? "retired" : device.lastSeen.map { "seen " + LocalTime.zoned($0) } ?? ""
            rows.add([device.identifier, TerminalStyle.safe(device.name), state])
        }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
    }
}
