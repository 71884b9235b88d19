/// Locates the executable of `photos-device`.
///
/// It is `$PHOTOS_DEVICE`, or in the places where the worker is searched.
package enum DeviceLocator {
    package static let name = "photos-device"

    /// Returns the path of the program; nil if it is not installed.
    package static func locate() -> String? {
        WorkerLocator.current().locate(companion: name, variable: "PHOTOS_DEVICE")
    }
}
