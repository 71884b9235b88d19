internal import WorkerProtocol

extension ForeignDatabase {
    /// Returns the SQL term that sorts by a date, in ascending or descending order.
    ///
    /// - Parameters:
    ///   - date: The expression of the date.
    ///   - isAscending: The expression that is 0 for a descending order.
    /// - Returns: The term of `ORDER BY`.
    static func dateOrder(_ date: String, isAscending: String) -> String {
        "CASE WHEN \(isAscending) = 0 THEN -\(date) ELSE \(date) END"
    }

    /// Returns the SQL terms that sort by a title, in ascending or descending order.
    ///
    /// The case of ASCII letters is ignored.
    ///
    /// - Parameters:
    ///   - title: The expression of the title.
    ///   - isAscending: The expression that is 0 for a descending order.
    /// - Returns: The terms of `ORDER BY`.
    static func titleOrder(_ title: String, isAscending: String) -> String {
        """
        CASE WHEN \(isAscending) = 0 THEN \(title) END COLLATE NOCASE DESC,
            CASE WHEN \(isAscending) = 0 THEN NULL ELSE \(title) END COLLATE NOCASE
        """
    }
}

extension ForeignCollection {
    /// Adds a note that the imported album keeps its current order, but not its sort rule.
    ///
    /// A rule is text such as “date”.
    mutating func noteSortRule(_ rule: String) {
        notes.append(
            ForeignNote(
                code: "sortRuleNotKept",
                text:
                    "The album “\(title)” is sorted by \(rule) in Photos. It has this order now, and"
                    + " keeps it if a \(rule) changes."
            )
        )
    }
}
