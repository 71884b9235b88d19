internal import PhotoModel

/// Factories of the errors for operations of a change set; each states the problem, the reason and
/// the remedy.
///
/// The code that applies the set adds the number of the failed request.
enum ChangeProblem {
    // MARK: - Objects

    static func unknown(_ kind: String, _ uuid: String, suffix: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The library has no \(kind) \(uuid).",
            reason: "It was never there, or it was deleted for good.",
            recovery: "Fetch again, and change what the fetch returns.",
            identifiers: [uuid + suffix]
        )
    }

    static func deletedBefore(_ kind: String, _ uuid: String, suffix: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The \(kind) \(uuid) was deleted by an earlier request of the same change block.",
            reason: "Requests take effect in the order in which they are made.",
            recovery: "Change it before it is deleted, or leave out one of the two requests.",
            identifiers: [uuid + suffix]
        )
    }

    static func wrongKind(_ uuid: String, is found: ObjectKind, needs wanted: String)
        -> LibraryError
    {
        LibraryError(
            .changeNotSupported,
            "The object \(uuid) is no \(wanted) but an object of the kind \(found).",
            reason: "This request is for objects of the kind \(wanted) only.",
            recovery: "Make the request for the right kind of object.",
            identifiers: [uuid + found.identifierSuffix]
        )
    }

    static func root(_ what: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The root folder cannot be \(what).",
            reason: "Every library has exactly one root folder, and it stays as it is.",
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
            reason: "What is in Recently Deleted can only be restored or removed for good.",
            recovery: "Restore it first (photos restore), then change it.",
            identifiers: identifiers
        )
    }

    static func notTrashed(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is not in Recently Deleted.",
            reason: "Only what is in Recently Deleted can be removed for good.",
            recovery: "Delete it first.",
            identifiers: [identifier]
        )
    }

    static func taking(outOf count: [Int64]) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(count.count) of the collections cannot be taken out of the root folder.",
            reason: "A collection lies in exactly one folder, and the root folder is the last.",
            recovery: "Put it into another folder, or delete it.",
            identifiers: [CollectionRecord.rootUUID + ObjectKind.folder.identifierSuffix]
        )
    }

    static func builtIn(_ uuid: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The collection \(uuid) cannot be changed.",
            reason: "It is a smart album, or another collection that the library makes itself.",
            recovery: "Change the properties that it goes by, or make an album of your own.",
            identifiers: [uuid]
        )
    }

    static func newIdentifier(_ uuid: String, reason: String) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "A new object cannot have the identifier \(uuid).",
            reason: reason,
            recovery: "Make a new, random UUID for each new object.",
            identifiers: [uuid]
        )
    }

    static func kind(_ kind: ObjectKind) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "A new collection cannot be of the kind \(kind).",
            reason: "Collections are albums and folders.",
            recovery: "Ask for an album or a folder."
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
            recovery: "Make the request for the fetch result that the indexes belong to."
        )
    }

    static func place(_ index: Int, last: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "Nothing can be moved to the index \(index).",
            reason: "The index counts without what is moved, so it goes from 0 to \(last) here.",
            recovery: "Count the target in the list without the moved objects."
        )
    }

    static func counts(objects: Int, indexes: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(objects) objects come with \(indexes) indexes.",
            reason: "Each object needs an index of its own.",
            recovery: "Pass as many indexes as objects."
        )
    }

    static func repeated(_ repeated: Int, of count: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "Of \(count) objects \(repeated) come more than once.",
            reason: "A list holds each object once, so it has no two indexes.",
            recovery: "Pass each object once."
        )
    }

    static func order(_ index: Int, _ next: Int) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "The index \(next) comes after the index \(index).",
            reason: "The indexes of one request ascend, and none comes twice.",
            recovery: "Pass them as an IndexSet holds them."
        )
    }

    // MARK: - Values

    static func value(_ what: String, reason: String, recovery: String) -> LibraryError {
        LibraryError(.invalidRequest, what, reason: reason, recovery: recovery)
    }

    static func notALivePhoto(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is no Live Photo.",
            reason: "Only Live Photos have a movie whose playback can be turned on and off.",
            recovery: "Ask for the media subtype photoLive first.",
            identifiers: [identifier]
        )
    }

    static func noBurst(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) is no frame of a burst.",
            reason: "Only frames of a burst can be picked among others.",
            recovery: "Ask for the asset's burst identifier first.",
            identifiers: [identifier]
        )
    }

    static func noChoice(_ identifier: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "The asset \(identifier) has no second original to choose.",
            reason: "Only assets with a RAW and a processed original have a choice.",
            recovery: "Ask for the asset's resources first: one is an alternate photo.",
            identifiers: [identifier]
        )
    }
}

extension LibraryError {
    /// Returns the error with the number and name of its change request prepended to the message.
    func ofRequest(_ number: Int, of count: Int, named request: String) -> LibraryError {
        var error = self
        error.message = "Change request \(number) of \(count) (\(request)): \(message)"
        return error
    }
}
