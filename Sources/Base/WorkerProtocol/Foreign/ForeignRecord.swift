/// A validated record of another program's library.
///
/// Records are ordered: counts first, then assets, then collections from the top down, then
/// members.
package enum ForeignRecord: Codable, Hashable, Sendable {
    case counts(ForeignCounts)
    case asset(ForeignAsset)
    case collection(ForeignCollection)
    case members(ForeignMembers)
    /// A part of the source could not be read.
    case broken(ForeignProblem)
}

/// A part of a source that cannot be read, although other parts can.
package struct ForeignProblem: Codable, Hashable, Sendable {
    /// The identifier of the affected item, if it is known.
    package var item: String?
    /// The reason as one or more sentences.
    package var reason: String
    /// Indicates whether the part seems to describe an asset.
    package var isAsset: Bool

    package init(item: String?, reason: String, isAsset: Bool) {
        self.item = item
        self.reason = reason
        self.isAsset = isAsset
    }
}

/// A group of consecutive records.
package struct ForeignBatch: Codable, Hashable, Sendable {
    /// The maximum number of records in a batch.
    package static let maximumRecords = 500

    package var records: [ForeignRecord]
    /// Indicates whether no further records follow.
    package var isLast: Bool

    package init(records: [ForeignRecord], isLast: Bool) {
        self.records = records
        self.isLast = isLast
    }
}

/// The limits of values in foreign records.
package enum ForeignLimits {
    /// The maximum length in UTF-8 bytes of a title, a caption or any other text.
    ///
    /// Longer texts are truncated.
    package static let text = 32 << 10
    /// The maximum length of a path or a name in UTF-8 bytes.
    package static let path = 4096
    /// The maximum number of elements of an asset's list, such as its keywords.
    package static let list = 1000
    /// The maximum number of members in one record.
    package static let members = 5000
}

extension ForeignRecord {
    /// Returns the members of a collection as records with at most `ForeignLimits.members` members
    /// each.
    package static func members(of collection: String, _ assets: [String]) -> [ForeignRecord] {
        stride(from: 0, to: assets.count, by: ForeignLimits.members).map { start in
            let end = min(start + ForeignLimits.members, assets.count)
            return .members(
                ForeignMembers(collection: collection, assets: Array(assets[start..<end]))
            )
        }
    }
}
