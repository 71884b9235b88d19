package import Foundation

/// The executables that were built with the tests.
package enum BuiltProducts {
    /// The folder of the test bundle and the executables.
    package static let folder: URL = {
        let arguments = ProcessInfo.processInfo.arguments
        // Swift Testing runs in a helper of the toolchain, which gets the bundle as an argument.
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments.first ?? "."
        let url = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
        return url.deletingLastPathComponent()
    }()

    /// Returns the URL of an executable product, whose target must be a dependency of the test's
    /// target.
    package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The command.
    package static var photos: URL { executable("photos") }

    /// The worker.
    package static var worker: URL { executable("photos-worker") }

    /// The program that reads cameras and phones.
    package static var device: URL { executable("photos-device") }

    /// The program that reaches the stores of cloud libraries.
    package static var cloud: URL { executable("photos-cloud") }
}
