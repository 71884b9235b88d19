internal import PhotoModel

/// Creates errors for operations of a change set, with the problem, the reason and the remedy.
///
/// The code that applies the set adds the number of the failed request.
enum ChangeProblem {
    // MARK: - Objects

    static func unknown(_ kind: String, _ uuid: String, suffix: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The library has no \(kind) \(uuid).",
            reason: "It never existed, or it was permanently deleted.",
            recovery: "Fetch again, and change the fetched objects.",
            identifiers: [uuid + suffix]
        )
    }

    static func deletedBefore(_ kind: String, _ uuid: String, suffix: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The \(kind) \(uuid) was deleted by an earlier request of the same change block.",
            reason: "Requests take effect in the order in which they are created.",
            recovery: "Change it before it is deleted, or omit one of the two requests.",
            identifiers: [uuid + suffix]
        )
    }

    static func wrongKind(_ uuid: String, is found: ObjectKind, needs wanted: String)
        -> LibraryError
    {
        LibraryError(
            .changeNotSupported,
            "The object \(uuid) is of the kind \(found) instead of \(wanted).",
            reason: "This request supports only objects of the kind \(wanted).",
            recovery: "Create the request for an object of this kind.",
            identifiers: [uuid + found.identifierSuffix]
        )
    }

    static func root(_ what: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The root folder cannot be \(what).",
            reason: "Every library has exactly one root folder, which cannot be changed.",
            recovery: "Change the albums and folders in it instead.",
            identifiers: [CollectionRecord.rootUUID + ObjectKind.folder.identifierSuffix]
        )
    }

    static func trashed(_ identifiers: [String]) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            identifiers.count == 1
                ? "The asset \(identifiers[0]) is in Recently Deleted."
                : "\(identifiers.count) of the assets are in Recently Deleted.",
            reason: "Assets in Recently Deleted can only be restored or permanently deleted.",
            recovery: "Restore the assets first (photos restore), then change them.",
            identifiers: identifiers
        )
    }

    static func notTrashed(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is not in Recently Deleted.",
            reason: "Only assets in Recently Deleted can be permanently deleted.",
            recovery: "Delete it first.",
            identifiers: [identifier]
        )
    }

    static func taking(outOf count: [Int64]) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(count.count) of the collections cannot be removed from the root folder.",
            reason: "Every collection is in exactly one folder, at least in the root folder.",
            recovery: "Move it to another folder, or delete it.",
            identifiers: [CollectionRecord.rootUUID + ObjectKind.folder.identifierSuffix]
        )
    }

    static func builtIn(_ uuid: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The collection \(uuid) cannot be changed.",
            reason: "It is a smart album, or another collection that the library maintains.",
            recovery: "Change the properties of the assets, or create an album.",
            identifiers: [uuid]
        )
    }

    static func newIdentifier(_ uuid: String, reason: String) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "A new object cannot have the identifier \(uuid).",
            reason: reason,
            recovery: "Create a new, random UUID for each new object.",
            identifiers: [uuid]
        )
    }

    static func usedIdentifier(_ uuid: String) -> LibraryError {
        newIdentifier(uuid, reason: "Another object uses it, or used it before it was deleted.")
    }

    static func kind(_ kind: ObjectKind) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "A new collection cannot be of the kind \(kind).",
            reason: "Only albums and folders can be created.",
            recovery: "Request an album or a folder."
        )
    }

    // MARK: - Indexes

    static func index(_ index: Int, count: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "The index \(index) is out of range: there are \(count) objects.",
            reason: count == 0
                ? "The list is empty at this point."
                : "Indexes go from 0 to \(count - 1) at this point.",
            recovery: "Create the request with the fetch result to which the indexes refer."
        )
    }

    static func place(_ index: Int, last: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "Objects cannot be moved to the index \(index).",
            reason: "The index does not count the moved objects, so it is from 0 to \(last) here.",
            recovery: "Use the index in the list without the moved objects."
        )
    }

    static func counts(objects: Int, indexes: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "The request has \(objects) objects, but \(indexes) indexes.",
            reason: "Each object needs an index.",
            recovery: "Pass as many indexes as objects."
        )
    }

    static func repeated(_ repeated: Int, of count: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(repeated) of \(count) objects occur more than once.",
            reason: "A list contains each object once, at one index.",
            recovery: "Pass each object once."
        )
    }

    static func order(_ index: Int, _ next: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "The index \(next) follows the index \(index).",
            reason: "The indexes of a request must be ascending and unique.",
            recovery: "Pass them in the order of an IndexSet."
        )
    }

    // MARK: - Values

    static func value(_ what: String, reason: String, recovery: String) -> LibraryError {
        LibraryError(.invalidRequest, what, reason: reason, recovery: recovery)
    }

    static func notALivePhoto(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is not a Live Photo.",
            reason: "Only Live Photos have a movie that can be turned on and off.",
            recovery: "Check for the media subtype photoLive first.",
            identifiers: [identifier]
        )
    }

    static func noBurst(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is not a frame of a burst.",
            reason: "Only frames of a burst can be picked.",
            recovery: "Check the asset's burst identifier first.",
            identifiers: [identifier]
        )
    }

    static func noChoice(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) has no alternate original.",
            reason: "Only assets with a RAW and a processed original have a choice.",
            recovery: "Check that one of the asset's resources is an alternate photo.",
            identifiers: [identifier]
        )
    }
}
