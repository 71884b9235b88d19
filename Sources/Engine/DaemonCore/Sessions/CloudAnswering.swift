package import PhotoModel
package import RemoteLibrary

/// A handler of requests about cloud libraries, which runs on a thread for bulk calls.
///
/// A cancellation of the current `CallContext` ends a request early.
package protocol CloudAnswering: Sendable {
    func answer(_ request: CloudRequest) throws(LibraryError) -> CloudReply
}
