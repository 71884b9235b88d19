import ArgumentParser
import Foundation

/// The option for this computer's name in the cloud library.
struct DeviceNameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of this computer for the others.",
            discussion: "Default: the host's name.",
            valueName: "name"
        )
    )
    var name: String?

    func validate() throws {
        if let name, name.isEmpty || name.utf8.count > 256 {
            throw ValidationError("--name requires a text of at most 256 bytes.")
        }
    }

    /// The name from the option; by default, this computer's host name.
    var text: String { name ?? ProcessInfo.processInfo.hostName }
}
