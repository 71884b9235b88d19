public import Foundation

/// Hears of changes of the photo library.
///
/// Register it with ``PHPhotoLibrary``; the library does not keep it alive.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Something that was fetched has changed: by this program, by another one, or by an import.
    ///
    /// Called once per transaction, or once for several that came close together; never for
    /// changes that touch nothing that was fetched. Calls come one after the other on a queue of the
    /// library's, not on the main one, and no lock is held meanwhile: fetching, changing and
    /// registering are all allowed here.
    ///
    /// - Parameter changeInstance: Tells what became of results and objects.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Hears when the photo library can no longer be read.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
    /// The library, or the volume that it lies on, is gone.
    ///
    /// Called once each time that happens, on a queue of the library's.
    ///
    /// - Parameter photoLibrary: Its ``PHPhotoLibrary/unavailabilityReason`` says why.
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}

/// Hears that there is more history to read.
///
/// The library does not keep it alive.
public protocol PHPhotoLibraryPersistentChangesObserver: NSObjectProtocol {
    /// Something was committed, whatever it is about.
    ///
    /// Called once per transaction, or once for several that came close together, on a queue of the
    /// library's.
    ///
    /// - Parameter photoLibrary: Its ``PHPhotoLibrary/fetchPersistentChanges(since:)`` tells what.
    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary)
}
