internal import Dispatch
internal import PhotoModel
public import Photos

extension PHPhotoLibrary {
    /// Lets the person choose which assets this program may see, while it is limited.
    ///
    /// On the controlling terminal while the program is in its foreground, else by a dialog of the
    /// desktop. Observers hear of what is chosen. Nothing happens when the program is not limited.
    public func presentLimitedLibraryPicker() {
        presentLimitedLibraryPicker { _ in }
    }

    /// Lets the person choose which assets this program may see, while it is limited.
    ///
    /// - Parameter completionHandler: Called once, on a queue of no particular kind, with the local
    ///   identifiers of the assets that were added, newest first: none when nothing was added, nobody
    ///   answered or could be asked (which is logged), or the program is not limited.
    public func presentLimitedLibraryPicker(completionHandler: @escaping ([String]) -> Void) {
        let handler = PickerHandler(body: completionHandler)
        guard let permission = connection.permission else {
            return PickerHandler.later { handler.body([]) }
        }
        permission.changeSelection { result in
            handler.body((try? result.get()) ?? [])
        }
    }

    /// Lets the person choose which assets this program may see, while it is limited.
    ///
    /// - Returns: The local identifiers of the assets that were added, newest first.
    public func presentLimitedLibraryPicker() async -> [String] {
        await withCheckedContinuation { continuation in
            presentLimitedLibraryPicker { continuation.resume(returning: $0) }
        }
    }
}

/// A client's handler on its way to a queue.
///
/// Unchecked because PhotoKit's handler is not marked as Sendable: it is called once.
private struct PickerHandler: @unchecked Sendable {
    let body: ([String]) -> Void

    static func later(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: body)
    }
}
