import Foundation
public import Photos

/// The identifiers of a fetch result, maintained by change details only, without reading anything
/// else of it.
public struct FollowedIdentifiers {
    /// The fetch result that the identifiers are from.
    public private(set) var result: PHFetchResult<PHAsset>
    /// The identifiers in order; nil after a change without steps.
    public private(set) var identifiers: [String]?

    /// Starts with a result.
    ///
    /// - Parameters:
    ///   - result: A result of which nothing was read.
    ///   - identifiers: The identifiers in it, if known; otherwise they are read.
    public init(_ result: PHFetchResult<PHAsset>, _ identifiers: [String]? = nil) {
        self.result = result
        self.identifiers = identifiers ?? (0..<result.count).map { result[$0].localIdentifier }
    }

    /// Returns whether an asset lacks values, or must not be visible.
    public static func isWrong(_ asset: PHAsset) -> Bool {
        asset.localIdentifier.isEmpty || asset.mediaType == .unknown || asset.pixelWidth == 0
            || asset.isHidden
    }

    /// Follows a change.
    ///
    /// - Returns: The errors in the details.
    public mutating func follow(_ details: PHFetchResultChangeDetails<PHAsset>) -> [String] {
        let before = identifiers
        result = details.fetchResultAfterChanges
        identifiers = nil
        guard details.hasIncrementalChanges, var names = before else { return [] }
        var problems: [String] = []
        let removed = details.removedIndexes ?? []
        let gone = details.removedObjects
        let expected = removed.map { names.indices.contains($0) ? names[$0] : "" }
        if gone.map(\.localIdentifier) != expected {
            problems.append("removed \(gone) at \(Array(removed)) of \(names)")
        }
        for index in removed.reversed() where names.indices.contains(index) {
            names.remove(at: index)
        }
        let new = details.insertedObjects
        for (index, asset) in zip(details.insertedIndexes ?? [], new) where index <= names.count {
            names.insert(asset.localIdentifier, at: index)
        }
        var moved = names
        details.enumerateMoves { from, to in
            guard moved.indices.contains(from), to < moved.count else { return }
            moved.insert(moved.remove(at: from), at: to)
        }
        let changed = details.changedObjects
        let places = details.changedIndexes ?? []
        let current = places.map { moved.indices.contains($0) ? moved[$0] : "" }
        if changed.map(\.localIdentifier) != current {
            problems.append("changed \(changed) at \(Array(places)) of \(moved)")
        }
        if moved.count != result.count {
            problems.append("\(moved.count) for \(result.count) objects")
        }
        if (gone + new + changed).contains(where: Self.isWrong) {
            problems.append("an asset without its values, or a hidden one")
        }
        identifiers = moved
        return problems
    }
}
