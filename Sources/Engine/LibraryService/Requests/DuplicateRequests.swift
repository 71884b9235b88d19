/// Asks which visible photos show the same picture in other bytes.
///
/// What photos look like is told from small renditions, each photo once; the first call of a library
/// makes what is missing. So that calls stay short, each works for a while only, and the client asks
/// again until nothing is left.
package struct DuplicatesRequest: Codable, Hashable, Sendable {
    /// For how long photos are looked at before the call returns, in seconds.
    package var patience: Double
    package init(patience: Double) { self.patience = patience }
}

/// The groups of photos that show the same picture.
package struct DuplicatesReply: Codable, Hashable, Sendable {
    /// How many photos have to be looked at still; while there are some, there are no groups.
    package var remaining: Int
    /// Row ids of assets, two and more in each group, the one that is suggested to be kept first.
    package var groups: [RowIDBuffer]
    package init(remaining: Int, groups: [RowIDBuffer]) {
        self.remaining = remaining
        self.groups = groups
    }
}
