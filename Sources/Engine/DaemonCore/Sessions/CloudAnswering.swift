package import PhotoModel
package import RemoteLibrary

/// Answers requests about cloud libraries, on a thread of bulk calls.
package protocol CloudAnswering: Sendable {
    func answer(_ request: CloudRequest) throws(LibraryError) -> CloudReply
}
