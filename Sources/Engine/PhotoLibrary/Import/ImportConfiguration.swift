package import Foundation

/// The settings and dependencies of an importer besides the library.
package struct ImportConfiguration: Sendable {
    /// The time zone assumed for wall times without an offset.
    package var timeZone: TimeZone
    /// The number of files of one batch that are copied and probed concurrently.
    package var workerCount: Int
    /// The longer side in pixels of the first rendition; 0 for none.
    package var renditionSide: Int
    /// The file system operations, with a hook for failures in tests.
    package var files: FileOperations

    package init(
        timeZone: TimeZone = .current,
        workerCount: Int = 2,
        renditionSide: Int = 256,
        files: FileOperations = FileOperations()
    ) {
        self.timeZone = timeZone
        self.workerCount = workerCount
        self.renditionSide = renditionSide
        self.files = files
    }
}
