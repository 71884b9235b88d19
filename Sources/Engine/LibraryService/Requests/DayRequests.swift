package import PhotoModel

/// A request for the days on which assets were captured.
package struct CaptureDaysRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    package init(ids: RowIDBuffer) { self.ids = ids }
}

/// The capture days of assets by local wall time, in the order of the request, run-length encoded.
package struct CaptureDaysReply: Codable, Hashable, Sendable {
    /// A run of adjacent assets that were captured on the same day.
    package struct Run: Codable, Hashable, Sendable {
        /// The number of days since 1970-01-01; nil for assets without a date.
        package var day: Int32?
        package var count: Int
        package init(day: Int32?, count: Int) {
            self.day = day
            self.count = count
        }
    }

    package var runs: [Run]
    package init(runs: [Run]) { self.runs = runs }

    /// Appends the capture day of one asset.
    package mutating func append(_ day: Int32?) {
        if let last = runs.indices.last, runs[last].day == day {
            runs[last].count += 1
        } else {
            runs.append(Run(day: day, count: 1))
        }
    }
}
