/// The outcome of each probe for each permission.
enum PermissionTable {
    /// A permission of a client.
    enum Level: String, CaseIterable {
        case none, addOnly, limited
        /// Everything but hidden assets.
        case unhidden
        case full
        /// The role that a program of the same user may state.
        case owner
    }

    /// The outcomes in the order of the levels.
    private struct Row {
        var outcomes: [String]
        init(_ outcomes: String...) { self.outcomes = outcomes }
        static func always(_ outcome: String) -> Row {
            Row(outcome, outcome, outcome, outcome, outcome, outcome)
        }
    }

    /// Returns the expected outcome; nil if the table has none.
    static func outcome(of probe: String, at level: Level) -> String? {
        let index = Level.allCases.firstIndex(of: level) ?? 0
        return rows[probe]?.outcomes[index]
    }

    /// The names of all rows.
    static var names: Set<String> { Set(rows.keys) }

    private static let denied = "accessDenied"
    /// The error of a request that nothing forbids, and that has nothing to act on.
    private static let invalid = "invalidRequest"

    /// The words for a selected asset, one that is not selected and a hidden selected one.
    private static func assets(
        visible: String = "yes",
        otherwise: String,
        limited: String? = nil
    ) -> Row {
        let none = "\(otherwise) \(otherwise) \(otherwise)"
        let all = "\(visible) \(visible) \(visible)"
        return Row(
            none,
            none,
            limited ?? "\(visible) \(otherwise) \(otherwise)",
            "\(visible) \(visible) \(otherwise)",
            all,
            all
        )
    }

    /// A silent filter: what the client may not see does not exist.
    private static let filtered = assets(otherwise: "no")
    /// An error, which is that of an asset that does not exist.
    private static let unknown = assets(otherwise: "identifierNotFound")
    /// Only for clients with access to everything.
    private static func whole(_ outcome: String = "done") -> Row {
        Row(denied, denied, denied, denied, outcome, outcome)
    }

    /// A program that is limited learns nothing of assets that are not selected.
    private static let changed = assets(
        otherwise: denied,
        limited: "yes identifierNotFound \(denied)"
    )

    private static let statuses = Row(
        "denied denied",
        "authorized denied",
        "authorized limited",
        "authorized authorized",
        "authorized authorized",
        "authorized authorized"
    )

    private static let rows: [String: Row] = [
        // The permission itself.
        "authorizationStatus": statuses,
        "requestAuthorization": statuses,
        "limitedSelection": Row(
            "no no no",
            "no no no",
            "yes no no",
            "no no no",
            "no no no",
            "no no no"
        ),
        // Nobody can be asked.
        "changeSelection": Row("nothing", "nothing", denied, "nothing", "nothing", "nothing"),

        // The session.
        "status": Row("no", "no", "yes", "yes", "yes", "yes"),
        "limitFetches": .always("done"),
        "cancel": .always("done"),
        "subscribe": .always("done"),
        "pin": .always("done"),
        "unpin": .always("done"),
        "close": .always("done"),
        "openSession": filtered,
        "openSession: without hidden": Row(
            "no no no",
            "no no no",
            "yes no no",
            "yes yes no",
            "yes yes no",
            "yes yes no"
        ),
        "openSession: as another author": Row(denied, denied, denied, denied, denied, "done"),

        // Reading.
        "fetch": filtered,
        "loadAssets": filtered,
        "countAssets": filtered,
        "captureDays": filtered,
        "searchFacets": whole(),
        "fetchCollections": assets(otherwise: "no", limited: "no no no"),
        "loadCollections": Row("no", "no", "no", "yes", "yes", "yes"),
        "history": Row(
            "\(denied) \(denied) \(denied)",
            "\(denied) \(denied) \(denied)",
            "yes no no",
            "yes yes no",
            "yes yes yes",
            "yes yes yes"
        ),
        "historyHorizon: read": Row(denied, denied, "done", "done", "done", "done"),
        // Row ids without values, so that a client notices that an asset is gone.
        "touched": Row(
            "no no no",
            "no no no",
            "yes no yes",
            "yes yes yes",
            "yes yes yes",
            "yes yes yes"
        ),
        "advance": filtered,
        "advanceHeld": .always("unknown"),
        "objectChanges": filtered,

        // Files and images.
        "listResources": filtered,
        "openResource": unknown,
        "cloudStates": filtered,
        "downloadResources": unknown,
        "keptMetadata": filtered,
        "findContent": filtered,
        "assetDigests": filtered,
        "image": unknown,
        "readyImages": unknown,
        "thumbnail": unknown,
        "imageData": unknown,
        "movieData": assets(visible: "notSupportedForAsset", otherwise: "identifierNotFound"),
        "adjustments": filtered,
        "duplicates": .always("done"),
        "renditionStatus": whole(),
        "readerStatus": whole(),
        "fileDigests": whole(),
        "identify": .always("image"),

        // The library as a whole.
        "beginImport": whole(),
        "knownFiles": whole(),
        "importFiles": whole(),
        // A client that may not import has none to end.
        "endImport": Row(invalid, invalid, invalid, invalid, "done", "done"),
        "openTakeout": whole(),
        "stepTakeout": whole(invalid),
        "beginMigration": whole(invalid),
        "continueMigration": whole(invalid),
        "endMigration": .always(invalid),
        "verify": whole(),
        // It names a folder of this computer.
        "verify: from another copy": Row(denied, denied, denied, denied, denied, "done"),
        "refresh": whole(),
        "historyHorizon: set": whole(),
        "buildRenditions": whole(),
        "dropRenditions": whole(),

        // Changing.
        "stage": Row(denied, "done", "done", "done", "done", "done"),
        "releaseTokens": .always("done"),
        "commit: create an album": Row(denied, denied, denied, "done", "done", "done"),
        "undo": whole(),
        "commit: rename an album": Row(denied, denied, denied, "done", "done", "done"),
        "commit: add a photo": Row(denied, "done", "done", "done", "done", "done"),
        "commit: make a favorite": changed,
        "commit: delete": changed,
    ]
}
