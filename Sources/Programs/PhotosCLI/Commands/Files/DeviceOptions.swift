import ArgumentParser
import PhotosJSON
import PhotosManagement

/// The options for imports from cameras and phones.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Import a connected camera or phone: its model, a part of it, or its port.",
            valueName: "name"
        )
    )
    var device: String?

    @Flag(help: "List the connected cameras and phones, and import nothing.")
    var listDevices = false

    /// Indicates whether any device option was given.
    var isUsed: Bool { device != nil || listDevices }

    /// Throws an error if the options contradict each other or the path arguments.
    func validate(paths: [String]) throws {
        if listDevices, device != nil || !paths.isEmpty {
            throw ValidationError("--list-devices works without a path and without --device.")
        }
        if device?.isEmpty == true { throw ValidationError("The name of a device is not empty.") }
        if let path = paths.first(where: { !$0.hasPrefix("/") }) {
            throw ValidationError(
                "With --device, a path is a folder on the device and begins with a slash (\(path))."
            )
        }
    }

    /// Prints one line for each connected device.
    func list(isJSON: Bool) throws {
        let found = try CameraDevice.connected()
        for device in found {
            if isJSON {
                var object = JSONObject()
                object.add("model", device.model)
                object.add("port", device.port)
                try StandardOutput.shared.write(object.line + "\n")
            } else {
                let line = "\(device.model)  \(device.port)"
                try StandardOutput.shared.write(TerminalStyle.safe(line) + "\n")
            }
        }
        try StandardOutput.shared.flush()
        if found.isEmpty, !isJSON {
            StandardError.shared.say(
                "No camera or phone was found. Connect it, turn it on and unlock it. A phone must"
                    + " allow file transfer or trust this computer."
            )
        }
    }
}
