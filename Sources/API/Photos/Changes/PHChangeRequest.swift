public import Foundation

/// A change that a change block asks for.
///
/// Requests are made and used inside the block that `PHPhotoLibrary.performChanges` is given, on the
/// block's own thread. They only record: everything takes effect when the block has ended, at once, or
/// not at all. Anywhere else they are a programming error, and stop the program.
open class PHChangeRequest: NSObject {
    /// The block that this request is part of.
    let recorder: ChangeRecorder

    /// A request in the block that runs on this thread.
    ///
    /// - Parameter call: What the client calls, for the message when there is none.
    init(call: String) {
        recorder = ChangeRecorder.recording(call)
        super.init()
    }

    /// Stops the program unless the request's own block is being recorded on this thread.
    func checkUse(_ call: String) {
        guard ChangeRecorder.current === recorder else { ChangeRecorder.trapOutside(call) }
    }

    /// A request as what the client asked for: `Self` of a class function.
    static func typed<Request>(_ request: PHChangeRequest, as type: Request.Type) -> Request {
        guard let request = request as? Request else {
            fatalError("\(type): the classes of change requests cannot be subclassed.")
        }
        return request
    }
}
