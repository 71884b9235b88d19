internal import Glibc
internal import WorkerClient

/// Locates the executable of `photos-cloud`.
///
/// The path is the value of `$PHOTOS_CLOUD`, or else one of the places where the worker is searched
/// for.
package enum StoreProgram {
    package static let name = "photos-cloud"

    /// Returns the path of the program; nil if it is not installed.
    package static func locate() -> String? {
        WorkerLocator.current().locate(companion: name, variable: "PHOTOS_CLOUD")
    }

    /// Returns whether an executable file is at a path.
    static func exists(_ path: String) -> Bool { WorkerLocator.current().isExecutable(path) }
}
