internal import LibraryService
internal import PhotoModel
public import Photos

extension PHPhotoLibrary {
    /// Lets the user choose which assets this program may see while its access is limited.
    ///
    /// Prompts on the controlling terminal if the program runs in the terminal's foreground,
    /// otherwise with a desktop dialog. Registered observers receive the new selection as a change.
    /// Does nothing when the program's access is not limited.
    public func presentLimitedLibraryPicker() {
        presentLimitedLibraryPicker { _ in }
    }

    /// Lets the user choose which assets this program may see while its access is limited.
    ///
    /// - Parameter completionHandler: Called once, on an arbitrary queue, with the local
    ///   identifiers of the added assets, newest first. The list is empty when nothing was added,
    ///   when the user did not answer, when no prompt could be shown (which is logged), or when the
    ///   program's access is not limited.
    public func presentLimitedLibraryPicker(completionHandler: @escaping ([String]) -> Void) {
        let handler = PickerHandler(body: completionHandler)
        guard let permission = connection.permission else {
            return OwnQueue.run(LibraryPermission.handlerLabel) { handler.body([]) }
        }
        permission.changeSelection { result in
            handler.body((try? result.get()) ?? [])
        }
    }

    /// Lets the user choose which assets this program may see while its access is limited.
    ///
    /// - Returns: The local identifiers of the assets that were added, newest first.
    public func presentLimitedLibraryPicker() async -> [String] {
        await withCheckedContinuation { continuation in
            presentLimitedLibraryPicker { continuation.resume(returning: $0) }
        }
    }
}

/// A wrapper that passes a client's completion handler to a dispatch queue.
///
/// The wrapper is unchecked because PhotoKit's handler is not `Sendable`. The handler is called
/// exactly once.
private struct PickerHandler: @unchecked Sendable {
    let body: ([String]) -> Void
}
