internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Checks that the rows of each asset and its resources are consistent.
struct AssetCheck {
    private static let rowsPerSlice: Int64 = 5_000

    /// An SQL condition that selects invalid assets, and the description of their problem.
    private struct Rule {
        let kind: String
        let message: String
        let advice: String
        /// The SQL condition that follows `SELECT uuid, originalFilename FROM asset WHERE`.
        let condition: String
    }

    let store: LibraryStore

    func slice(from position: Int64) throws -> Verifier.Slice {
        try store.read { database in
            let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM asset") ?? 0
            let end = min(last, position.addingSaturated(Self.rowsPerSlice))
            var slice = Verifier.Slice()
            for rule in Self.rules {
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT uuid, originalFilename FROM asset WHERE id > ? AND id <= ? AND "
                        + rule.condition,
                    arguments: [position, end]
                )
                slice.findings += rows.map { finding(rule, uuid: $0[0], name: $0[1]) }
            }
            slice.next = end < last ? end : nil
            slice.progress = last == 0 ? 1 : Double(end) / Double(last)
            return slice
        }
    }

    private func finding(_ rule: Rule, uuid: String, name: String) -> Finding {
        Finding(
            .damage,
            kind: rule.kind,
            message: "\(name): \(rule.message).",
            advice: rule.advice,
            localIdentifier: uuid + ObjectKind.asset.identifierSuffix
        )
    }

    private static let restore = "Restore database/library.sqlite from a backup."

    private static let rules = [
        Rule(
            kind: "assetWithoutOriginal",
            message: "the asset has no original",
            advice: restore,
            condition: """
                NOT EXISTS (
                    SELECT 1 FROM resource WHERE assetId = asset.id AND type IN (1, 2, 3, 19))
                """
        ),
        Rule(
            kind: "halfLivePhoto",
            message: "it is a Live Photo, but its movie is missing",
            advice: "Import the movie again: photos import FILE.",
            condition: """
                mediaSubtypes & 8 AND NOT EXISTS (
                    SELECT 1 FROM resource WHERE assetId = asset.id AND type = 9)
                """
        ),
        Rule(
            kind: "wrongVisibility",
            message: "its visibility does not match its other values",
            advice: restore,
            condition: """
                (isBurstHidden <>
                    (burstIdentifier IS NOT NULL AND representsBurst = 0 AND burstSelectionTypes = 0)
                OR isVisible <> (\(AssetVisibility.definition)))
                """
        ),
        Rule(
            kind: "burstWithoutKeyFrame",
            message: "its burst does not have exactly one key frame",
            advice: restore,
            condition: """
                burstIdentifier IS NOT NULL AND trashedDate IS NULL AND NOT (
                    SELECT total(other.representsBurst) = 1
                        OR (count(*) = 1 AND total(other.representsBurst) = 0
                            AND total(\(AssetRecord.loneFrameCondition)) > 0)
                    FROM asset AS other
                    WHERE other.burstIdentifier = asset.burstIdentifier
                        AND other.trashedDate IS NULL)
                """
        ),
    ]
}
