import GRDB

@testable import PhotoLibrary

extension LibraryStore {
    /// Returns the steps of the plan by which SQLite executes a statement.
    func queryPlan(of sql: String, arguments: StatementArguments) throws -> [String] {
        try read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                .map { $0["detail"] as String }
        }
    }
}
