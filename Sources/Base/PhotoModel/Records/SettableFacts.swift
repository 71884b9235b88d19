/// The asset properties that files can contain as metadata and that users and programs can set.
///
/// The capture time is not included, because its sources record who set it. The raw values are
/// stored in libraries and must not change.
package struct SettableFacts: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let location = SettableFacts(rawValue: 1 << 0)
    package static let title = SettableFacts(rawValue: 1 << 1)
    package static let caption = SettableFacts(rawValue: 1 << 2)
    package static let keywords = SettableFacts(rawValue: 1 << 3)
    package static let rating = SettableFacts(rawValue: 1 << 4)

    /// Creates the set of properties in which two records of an asset differ.
    package init(differingIn first: AssetRecord, _ second: AssetRecord) {
        var facts: SettableFacts = []
        if first.location != second.location { facts.insert(.location) }
        if first.title != second.title { facts.insert(.title) }
        if first.caption != second.caption { facts.insert(.caption) }
        if first.keywords != second.keywords { facts.insert(.keywords) }
        if first.rating != second.rating { facts.insert(.rating) }
        self = facts
    }
}
