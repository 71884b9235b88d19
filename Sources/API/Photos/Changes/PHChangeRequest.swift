public import Foundation

/// A request to change the library, created in a change block.
///
/// Create and use requests inside the block passed to `PHPhotoLibrary.performChanges`, on the
/// block's own thread. They only record changes. After the block ends, either all of its changes
/// take effect at once, or none does. Use outside of a block is a programming error and stops the
/// program.
open class PHChangeRequest: NSObject {
    /// The recorder of the change block that created this request.
    let recorder: ChangeRecorder

    /// Creates a request in the change block that is running on this thread.
    ///
    /// - Parameter call: The client's call, for the message when no block is running.
    init(call: String) {
        recorder = ChangeRecorder.recording(call)
        super.init()
    }

    /// Stops the program unless the change block that created the request is running on this
    /// thread.
    func checkUse(_ call: String) {
        guard ChangeRecorder.current === recorder else { ChangeRecorder.trapOutside(call) }
    }

    /// Casts a new request to the class on which the client called the creation function.
    ///
    /// It stops the program if that class is a client's subclass.
    static func typed<Request>(_ request: PHChangeRequest, as type: Request.Type) -> Request {
        guard let request = request as? Request else {
            fatalError("\(type): the classes of change requests cannot be subclassed.")
        }
        return request
    }
}
