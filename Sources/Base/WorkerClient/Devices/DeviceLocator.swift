internal import Glibc

/// Locates the executable of `photos-device`.
///
/// It is `$PHOTOS_DEVICE`, or in the places where the worker is searched.
package enum DeviceLocator {
    package static let name = "photos-device"

    /// Returns the path of the program; nil if it is not installed.
    package static func locate() -> String? {
        let worker = WorkerLocator.current()
        if let value = getenv("PHOTOS_DEVICE"), value.pointee != 0 {
            let path = String(cString: value)
            return worker.isExecutable(path) ? path : nil
        }
        return worker.locate(companion: name)
    }
}
