/// Asks for the days on which assets were captured.
package struct CaptureDaysRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    package init(ids: RowIDBuffer) { self.ids = ids }
}

/// Days by the clocks on the walls where assets were captured, in the order asked for: one after the
/// other with how many assets it has, so that a library of many photos a day takes little room.
package struct CaptureDaysReply: Codable, Hashable, Sendable {
    /// Assets of one day that stand side by side.
    package struct Run: Codable, Hashable, Sendable {
        /// Days since 1970-01-01; nil for assets without a date.
        package var day: Int32?
        package var count: Int
        package init(day: Int32?, count: Int) {
            self.day = day
            self.count = count
        }
    }

    package var runs: [Run]
    package init(runs: [Run]) { self.runs = runs }

    /// Adds one asset.
    package mutating func append(_ day: Int32?) {
        if let last = runs.indices.last, runs[last].day == day {
            runs[last].count += 1
        } else {
            runs.append(Run(day: day, count: 1))
        }
    }
}
