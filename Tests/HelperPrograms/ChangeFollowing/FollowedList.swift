import Foundation
public import Photos

/// A list that follows a fetch result by its change details only, as a collection view does.
public struct FollowedList<Object: PHObject> {
    /// The fetch result that the list shows.
    public private(set) var result: PHFetchResult<Object>
    /// The displayed rows: a name and the properties of each object.
    public private(set) var rows: [String]
    private let describe: (Object) -> String

    /// Starts with the objects of a result.
    public init(_ result: PHFetchResult<Object>, describe: @escaping (Object) -> String) {
        self.result = result
        self.describe = describe
        rows = Self.rows(of: result, describe)
    }

    /// Returns the rows of a result, read from beginning to end.
    public static func rows(
        of result: PHFetchResult<Object>,
        _ describe: (Object) -> String
    ) -> [String] {
        (0..<result.count).map { describe(result[$0]) }
    }

    /// Follows a change.
    ///
    /// - Returns: The error in the steps, or nil if they are consistent.
    public mutating func follow(_ change: PHChange) -> String? {
        guard let details = change.changeDetails(for: result) else { return nil }
        let after = details.fetchResultAfterChanges
        result = after
        guard details.hasIncrementalChanges else {
            rows = Self.rows(of: after, describe)
            return nil
        }
        let (removed, inserted) = (details.removedIndexes, details.insertedIndexes)
        for index in (removed ?? []).reversed() {
            guard rows.indices.contains(index) else { return "removed \(index) of \(rows.count)" }
            rows.remove(at: index)
        }
        for (index, object) in zip(inserted ?? [], details.insertedObjects) {
            guard index <= rows.count else { return "inserted \(index) of \(rows.count)" }
            rows.insert(describe(object), at: index)
        }
        var problem: String?
        var moved = rows
        details.enumerateMoves { from, to in
            guard moved.indices.contains(from), to >= 0, to < moved.count else {
                problem = "moved \(from) to \(to) of \(moved.count)"
                return
            }
            moved.insert(moved.remove(at: from), at: to)
        }
        rows = moved
        for (index, object) in zip(details.changedIndexes ?? [], details.changedObjects) {
            guard rows.indices.contains(index) else { return "changed \(index) of \(rows.count)" }
            rows[index] = describe(object)
        }
        if rows.count != after.count { return "\(rows.count) rows, and \(after.count) objects" }
        return problem
    }
}
