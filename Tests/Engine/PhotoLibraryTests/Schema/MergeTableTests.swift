import CloudSync
import GRDB
import Testing

@testable import PhotoLibrary

/// The merge rules of the cloud library, against the schema of a new library.
@Suite(.timeLimit(.minutes(1))) struct MergeTableTests {
    private let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    /// Returns the columns of all tables of a new library.
    private func columns() throws -> [String: Set<String>] {
        try world.store.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' "
                    + "AND name NOT LIKE 'sqlite%'"
            )
            var columns: [String: Set<String>] = [:]
            for table in tables {
                columns[table] = Set(try database.columns(in: table).map(\.name))
            }
            return columns
        }
    }

    @Test func everyColumnHasARule() throws {
        let columns = try columns()
        #expect(columns["asset"]?.count ?? 0 > 40)
        for (table, names) in columns {
            let rules = MergeTable.rules[table]
            #expect(rules != nil, "\(table) has no merge rules; add them to MergeTable.")
            let missing = names.subtracting(rules?.keys.map { $0 } ?? [])
            #expect(
                missing.isEmpty,
                "\(table) has columns without merge rules: \(missing.sorted())"
            )
        }
    }

    @Test func everyRuleHasAColumn() throws {
        let columns = try columns()
        for (table, rules) in MergeTable.rules {
            let unknown = Set(rules.keys).subtracting(columns[table] ?? [])
            #expect(
                unknown.isEmpty,
                "\(table) has merge rules without columns: \(unknown.sorted())"
            )
        }
    }

    /// Merging one column of a pair would show a place where nobody was.
    @Test func columnsThatBelongTogetherShareAGroup() {
        let groups = ["latitude", "longitude", "altitude"].map {
            MergeTable.group(of: $0, in: "asset")
        }
        #expect(Set(groups) == [.place])
        #expect(MergeTable.group(of: "contentVersion", in: "asset") == nil)
        #expect(MergeTable.group(of: "orderKey", in: "albumAsset") == .member)
    }

    /// A change of one of them leaves the others as they are.
    @Test func initialValuesAreInTheCreationAndInGroupsOfTheirOwn() throws {
        let initial = (MergeTable.rules["asset"] ?? [:]).filter { _, rule in
            if case .initial = rule { true } else { false }
        }.keys.sorted()
        #expect(initial == ["burstIdentifier", "contentIdentifier", "originalFilename"])
        #expect(Set(initial).isSubset(of: MergeTable.constants(of: "asset")))
        #expect(MergeTable.group(of: "addedDate", in: "asset") == nil)
        var groups: Set<RegisterGroup> = []
        for column in initial {
            let group = try #require(MergeTable.group(of: column, in: "asset"))
            #expect(MergeTable.columns(of: group, in: "asset") == [column])
            // Versions that do not know the group compare its ranks first.
            #expect(group.isRanked)
            groups.insert(group)
        }
        #expect(groups == Set(CloudColumns.initialGroups))
        #expect(groups.isSubset(of: CloudColumns.assetGroups))
    }
}
