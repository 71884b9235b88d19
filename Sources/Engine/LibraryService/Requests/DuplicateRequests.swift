package import PhotoModel

/// A request to find visible photos that show the same picture but whose files differ.
///
/// Photos are compared by their small renditions, each of which is analyzed once; the first call
/// for a library generates the missing ones. Each call works for a limited time, and the client
/// repeats it until nothing remains.
package struct DuplicatesRequest: CancellableRequest, Codable, Hashable {
    /// The time in seconds that one call may spend on analyzing photos.
    package var patience: Double
    package var ticket: CallTicket?

    package init(patience: Double, ticket: CallTicket? = nil) {
        self.patience = patience
        self.ticket = ticket
    }
}

/// Groups of photos that show the same picture.
package struct DuplicatesReply: Codable, Hashable, Sendable {
    /// The number of photos still to be analyzed; while it is not 0, `groups` is empty.
    package var remaining: Int
    /// The row ids of the two or more assets in each group.
    ///
    /// The first is the one suggested to be kept.
    package var groups: [RowIDBuffer]
    package init(remaining: Int, groups: [RowIDBuffer]) {
        self.remaining = remaining
        self.groups = groups
    }
}
