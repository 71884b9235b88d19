/// The classes of calls; a daemon has separate threads for each class.
package enum CallClass: String, Codable, Hashable, Sendable, CaseIterable {
    /// Calls that return quickly and must not wait for other calls, such as cancellations.
    case immediate
    /// Reads of the database.
    case short
    /// Calls that change the library.
    case write
    /// Calls that copy the files of a change to the staging folder, while the user waits.
    case staging
    /// Calls that decode images.
    case pixels
    /// Calls that read or write many files.
    case bulk
    /// Calls that wait for the user's answer to a question.
    case question
    /// Calls that wait for downloads.
    case download
}

extension AnyCall {
    /// The class of the call, which selects its threads; `bulk` for a call that `classes` does not
    /// list, so that it cannot delay the other classes.
    package var callClass: CallClass { Self.classes[name] ?? .bulk }

    /// The class of each call, by the name of the call; a test compares the names with those in
    /// `CallTable`.
    static var classes: [String: CallClass] { CallClasses.byName }
}

/// A table of the class of each call.
enum CallClasses {
    static let byName: [String: CallClass] = [
        "cancel": .immediate, "limitFetches": .immediate, "unpin": .immediate,

        "authorizationStatus": .short, "limitedSelection": .short,
        "requestAuthorization": .question, "changeSelection": .question,

        "status": .short, "history": .short, "fetch": .short, "loadAssets": .short,
        "countAssets": .short, "captureDays": .short, "searchFacets": .short,
        "fetchCollections": .short, "loadCollections": .short, "findContent": .short,
        "assetDigests": .short, "subscribe": .short, "pin": .short, "touched": .short,
        "advance": .short, "advanceHeld": .short, "objectChanges": .short, "listResources": .short,
        "openResource": .short, "cloudStates": .short, "readyImages": .short, "thumbnail": .short,
        "imageData": .short,
        "movieData": .short,
        "adjustments": .short, "renditionStatus": .short, "readerStatus": .short,
        "beginImport": .short, "endImport": .short, "knownFiles": .short, "endMigration": .short,
        "releaseTokens": .short,

        "commit": .write, "undo": .write, "historyHorizon": .write, "dropRenditions": .write,

        "stage": .staging,

        "image": .pixels,

        "downloadResources": .download,

        // These read files of the client, or many of the library, and take as long as that does.
        "buildRenditions": .bulk, "duplicates": .bulk, "fileDigests": .bulk, "identify": .bulk,
        "importFiles": .bulk, "keptMetadata": .bulk, "openTakeout": .bulk, "stepTakeout": .bulk,
        "beginMigration": .bulk, "continueMigration": .bulk, "refresh": .bulk, "verify": .bulk,
    ]
}
