public import Foundation

/// An observer of changes to the photo library.
///
/// Register it with ``PHPhotoLibrary``, which references it weakly.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Notifies the observer that fetched objects were changed by this program, by another program
    /// or by an import.
    ///
    /// It is called once per transaction, or once for several transactions in short succession. It
    /// is never called for changes that do not affect fetched objects. Fetched objects are those
    /// that the program retains, itself or in a result, and objects that are new to the library and
    /// part of a recent fetch. Calls are made one at a time on a queue of the library, not on the
    /// main queue, and no lock is held meanwhile. Fetching, changing and registering are allowed
    /// here.
    ///
    /// - Parameter changeInstance: Provides the change details of results and objects.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// An observer of the photo library's availability.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
    /// Notifies the observer that the library, or its volume, became unavailable.
    ///
    /// It is called once each time this happens, on a queue of the library.
    ///
    /// - Parameter photoLibrary: The library, whose ``PHPhotoLibrary/unavailabilityReason`` gives
    ///   the reason.
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}

/// An observer of the photo library's change history.
///
/// The library references it weakly.
public protocol PHPhotoLibraryPersistentChangesObserver: NSObjectProtocol {
    /// Notifies the observer of a commit of any kind.
    ///
    /// It is called once per transaction, or once for several transactions in short succession, on
    /// a queue of the library.
    ///
    /// - Parameter photoLibrary: The library, whose
    ///   ``PHPhotoLibrary/fetchPersistentChanges(since:)`` returns the changes.
    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary)
}
