public import Foundation
internal import LibraryService

extension LibraryCheck {
    /// The record of a complete check, as stored in the library.
    ///
    /// A check is not recorded if it was stopped or the library is read-only.
    public struct Record: Sendable, Hashable {
        /// The time when the check ended.
        public var date: Date
        /// The version of the library when the check began; nil when it could not be read.
        public var version: Int64?
        /// Indicates whether every byte of every file was read.
        public var readsEverything: Bool
        /// Indicates whether the check was requested to repair findings that have a single possible
        /// fix.
        public var repairs: Bool
        /// The numbers of findings.
        public var summary: Summary

        init(_ check: LastCheck) {
            date = check.date
            version = check.version
            readsEverything = check.isFull
            repairs = check.repairs
            summary = Summary()
            summary.notes = check.tally.notes
            summary.damages = check.tally.damages
            summary.repaired = check.tally.repaired
        }
    }
}
