package import Foundation

/// The executables that were built together with the tests.
package enum BuiltProducts {
    /// The folder that holds the test bundle and, beside it, the executables.
    package static let folder: URL = {
        let arguments = ProcessInfo.processInfo.arguments
        // Swift Testing runs in a helper of the toolchain that gets the bundle as an argument.
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments.first ?? "."
        let url = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
        return url.deletingLastPathComponent()
    }()

    /// Where an executable product is; its target has to be a dependency of the test's.
    package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The command.
    package static var photos: URL { executable("photos") }

    /// The worker.
    package static var worker: URL { executable("photos-worker") }
}
