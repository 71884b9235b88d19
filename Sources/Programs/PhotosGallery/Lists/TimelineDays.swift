internal import PhotosManagement

/// The capture days of a list's assets, and the resulting day headings.
struct TimelineDays: Sendable, Equatable {
    /// A day heading, with the number of assets below it.
    ///
    /// The day is empty for assets without a date.
    struct Heading: Sendable, Equatable {
        var day: String
        var count: Int

        var json: String { "[\"\(day)\",\(count)]" }
    }

    /// The day of each asset, or ``none`` for an asset without a date.
    private(set) var days: ContiguousArray<Int32>
    private(set) var headings: [Heading]

    /// The value in ``days`` for an asset without a date.
    static let none = Int32.min

    init(runs: [PhotoLibraryBundle.CaptureDayRun], order: ListQuery.SortOrder) {
        var days: ContiguousArray<Int32> = []
        days.reserveCapacity(runs.reduce(0) { $0 + $1.count })
        for run in runs {
            let day = run.day.map { Int32(clamping: $0.number) } ?? Self.none
            days.append(contentsOf: repeatElement(day, count: run.count))
        }
        self.init(days: days, order: order)
    }

    /// Creates a value without asset days, for a list that is not sorted by date.
    ///
    /// Such a list has one heading, without a date, or none if the list is empty.
    init(headings: [Heading]) {
        days = []
        self.headings = headings
    }

    init(days: ContiguousArray<Int32>, order: ListQuery.SortOrder) {
        self.days = days
        headings = Self.headings(days, order)
    }

    /// Returns the headings for the days of a list's assets, one per day.
    ///
    /// The list is sorted by instant, but headings use the cameras' local time. After a journey
    /// west, the local day of a later photo can therefore be the previous day. The photo stays
    /// below the present heading, so that no day occurs twice.
    private static func headings(
        _ days: ContiguousArray<Int32>,
        _ order: ListQuery.SortOrder
    ) -> [Heading] {
        var headings: [Heading] = []
        var last = Self.none
        var count = 0
        func close() {
            guard count > 0 else { return }
            let day = last == none ? "" : CaptureDay(number: Int(last)).description
            headings.append(Heading(day: day, count: count))
            count = 0
        }
        for day in days {
            let goesBack = order == .newest ? day > last : day < last
            if day != last, day == none || last == none || !goesBack {
                close()
                last = day
            }
            count += 1
        }
        close()
        return headings
    }

    /// Encodes headings as a JSON array for the page.
    static func json(_ headings: some Sequence<Heading>) -> String {
        "[" + headings.map(\.json).joined(separator: ",") + "]"
    }

    /// Returns the replacement that turns the headings `before` into the current headings.
    ///
    /// The result is the position and the number of the headings to remove, and the headings to
    /// insert in their place.
    func splice(from before: [Heading]) -> (at: Int, remove: Int, insert: ArraySlice<Heading>) {
        var start = 0
        while start < min(before.count, headings.count), before[start] == headings[start] {
            start += 1
        }
        var end = 0
        while end < min(before.count, headings.count) - start,
            before[before.count - 1 - end] == headings[headings.count - 1 - end]
        {
            end += 1
        }
        let inserted = headings[start..<headings.count - end]
        return (start, before.count - end - start, inserted)
    }
}
