package import Foundation

/// What an importer depends on besides the library itself.
package struct ImportConfiguration: Sendable {
    /// Where wall times without an offset are taken to be.
    package var timeZone: TimeZone
    /// How many files of one batch are copied and probed at once.
    package var workerCount: Int
    /// The longer side in pixels of the first rendition; 0 for none.
    package var renditionSide: Int
    /// The calls on files, with a hook for failures in tests.
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
