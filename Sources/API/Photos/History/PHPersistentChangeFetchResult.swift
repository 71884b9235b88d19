public import Foundation
internal import LibraryService
internal import PhotoModel

/// The changes that followed a token, oldest first, up to the state at which they were fetched.
///
/// They are read in portions while a program goes through them, so any length of history takes little
/// memory. Each iteration begins at the start.
open class PHPersistentChangeFetchResult: NSObject, Sequence, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    fileprivate let range: HistoryRange?

    /// No changes.
    ///
    /// Programs subclass it as a test double.
    public override init() {
        range = nil
        super.init()
    }

    init(_ range: HistoryRange) {
        self.range = range
        super.init()
    }

    /// Starts at the oldest change.
    open func makeIterator() -> Iterator { Iterator(fetchResult: self) }

    /// Goes through the changes of a result.
    ///
    /// One thread at a time may use it.
    public final class Iterator: IteratorProtocol {
        /// A change.
        public typealias Element = PHPersistentChange

        private let range: HistoryRange?
        private var position: HistoryRange.Place
        private var portion: ArraySlice<HistoryVersion> = []

        /// Starts at the oldest change of a result.
        public init(fetchResult: PHPersistentChangeFetchResult) {
            range = fetchResult.range
            position = range?.since ?? HistoryRange.Place(version: 0)
        }

        /// The next change; nil after the last.
        ///
        /// Should history be pruned meanwhile, or not be readable, then the rest of it comes as one
        /// change whose details throw.
        public func next() -> PHPersistentChange? {
            guard let range, position.version < range.through.version else { return nil }
            if portion.isEmpty {
                do throws(LibraryError) {
                    portion = try range.portion(after: position)[...]
                } catch {
                    position = range.through
                    return PHPersistentChange(
                        token: range.token(at: position),
                        changes: .failure(range.detailsUnavailable(error))
                    )
                }
            }
            guard let version = portion.popFirst(), version.version <= range.through.version
            else {
                position = range.through
                return nil
            }
            position = HistoryRange.Place(version: version.version, stamp: version.stamp)
            return PHPersistentChange(
                token: range.token(at: position),
                changes: .success(version.changes)
            )
        }
    }
}
