public import Foundation
internal import LibraryService
internal import PhotoModel

/// The photo library: what fetches read from.
///
/// ``shared()`` is the library at `$PHOTOS_LIBRARY`, else `Photos Library.photolibrary` in the
/// pictures folder. It is opened when it is first needed, and can be used from any thread.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    package let connection: LibraryConnection

    package init(connection: LibraryConnection) {
        self.connection = connection
        super.init()
    }

    /// The one library of this process.
    ///
    /// Never fails: while the library cannot be opened fetches are empty, the reason is logged, and
    /// ``unavailabilityReason`` holds it.
    open class func shared() -> PHPhotoLibrary {
        LibraryConnection.current.library
    }

    /// Why the library cannot be read; nil when it can.
    ///
    /// A ``PHPhotosError``, with code `libraryVolumeOffline` when the library or its volume is not
    /// there. Asked afresh every time, so a volume that was mounted meanwhile is found.
    open var unavailabilityReason: (any Error)? {
        do throws(LibraryError) {
            _ = try connection.service().status()
            return nil
        } catch {
            return PHPhotosError(error)
        }
    }

    /// Equal when both are of the same connection.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHPhotoLibrary)?.connection === connection
    }

    /// Agrees with equality.
    open override var hash: Int {
        ObjectIdentifier(connection).hashValue
    }
}
