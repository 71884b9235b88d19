package import CloudSync
package import PhotoModel

/// Downloads files of a library that are only in the cloud.
package protocol ContentDownloading: Sendable {
    /// Downloads a file, checks its hash and stores it in the library.
    ///
    /// Concurrent calls for one content share one download.
    ///
    /// Blocks the calling thread. A file that is here already is a success.
    ///
    /// - Parameters:
    ///   - content: The content of the file.
    ///   - progress: Gets the verified bytes and the size, at most ten times a second; returning
    ///     false gives up waiting. The download itself ends when nobody waits any more.
    /// - Throws: `networkError` if the store cannot be reached or the connection breaks,
    ///   `cancelled` if `progress` returned false, `networkAccessRequired` if no usable copy is
    ///   known here yet.
    func download(
        _ content: ContentID,
        progress: @Sendable (_ received: Int64, _ size: Int64) -> Bool
    ) throws(LibraryError)
}
