package import Foundation

/// The result of the last complete check of a library.
package struct LastCheck: Codable, Hashable, Sendable {
    /// The time when the check ended.
    package var date: Date
    /// The version of the library when the check began; nil if it could not be read.
    package var version: Int64?
    /// Indicates whether every byte of every file was read.
    package var isFull: Bool
    /// Indicates whether findings were repaired where possible.
    package var repairs: Bool
    /// The numbers of findings.
    package var tally: VerifyTally

    package init(
        date: Date,
        version: Int64?,
        isFull: Bool,
        repairs: Bool,
        tally: VerifyTally
    ) {
        self.date = date
        self.version = version
        self.isFull = isFull
        self.repairs = repairs
        self.tally = tally
    }
}
