public import Foundation
internal import LibraryService
internal import PhotoModel

/// The changes after a token, oldest first, up to the library's state at the time of the fetch.
///
/// Changes are read in portions during iteration, so a history of any length needs little memory.
/// Each iteration starts with the oldest change.
open class PHPersistentChangeFetchResult: NSObject, Sequence, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    fileprivate let range: HistoryRange?

    /// Creates an empty result.
    ///
    /// Programs subclass it to make a test double.
    public override init() {
        range = nil
        super.init()
    }

    init(_ range: HistoryRange) {
        self.range = range
        super.init()
    }

    /// Returns an iterator that starts with the oldest change.
    open func makeIterator() -> Iterator { Iterator(fetchResult: self) }

    /// An iterator over the changes of a result.
    ///
    /// Only one thread at a time may use it.
    public final class Iterator: IteratorProtocol {
        /// The type of the elements.
        public typealias Element = PHPersistentChange

        private let range: HistoryRange?
        private var position: HistoryRange.Place
        private var portion: ArraySlice<HistoryVersion> = []

        /// Creates an iterator that starts with the oldest change of a result.
        public init(fetchResult: PHPersistentChangeFetchResult) {
            range = fetchResult.range
            position = range?.since ?? HistoryRange.Place(version: 0)
        }

        /// Returns the next change, or nil after the last.
        ///
        /// If the history is pruned during the iteration, or becomes unreadable, the remaining
        /// changes are returned as a single change whose details throw an error.
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
