/// Locates the executable of `photos-device`.
///
/// The path is the value of `$PHOTOS_DEVICE`, or else one of the places where the worker is
/// searched for.
package enum DeviceLocator {
    package static let name = "photos-device"

    /// Returns the path of the program; nil if it is not installed.
    package static func locate() -> String? {
        WorkerLocator.current().locate(companion: name, variable: "PHOTOS_DEVICE")
    }
}
