internal import WorkerProtocol

extension ForeignDatabase {
    /// Returns the terms of an order by title, which ignores the case of ASCII letters.
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
    /// Notes that the album does not keep its sort rule, such as “date”.
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
