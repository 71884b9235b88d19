package import PhotoModel

/// A pinned snapshot of the library.
///
/// The engine releases it after some seconds; requests that refer to it later read the current
/// state.
package struct PinReply: Codable, Hashable, Sendable {
    package var pin: Int64
    package var snapshot: LibrarySnapshot
    package init(pin: Int64, snapshot: LibrarySnapshot) {
        self.pin = pin
        self.snapshot = snapshot
    }
}

/// A request to release a pinned snapshot.
package struct UnpinRequest: Codable, Hashable, Sendable {
    package var pin: Int64
    package init(pin: Int64) { self.pin = pin }
}

/// A request for the objects that changed after the version `since`, up to and including the
/// version `through`.
package struct TouchedRequest: Codable, Hashable, Sendable {
    package var since: Int64
    package var through: Int64
    package init(since: Int64, through: Int64) {
        self.since = since
        self.through = through
    }
}

/// The distinct row ids of changed objects, in ascending order.
package struct TouchedReply: Codable, Hashable, Sendable {
    package var assets: RowIDBuffer
    /// The row ids of albums and folders.
    package var collections: RowIDBuffer
    package init(assets: RowIDBuffer, collections: RowIDBuffer) {
        self.assets = assets
        self.collections = collections
    }
}

/// A request for the changes of a fetch result.
package struct AdvanceRequest: Codable, Hashable, Sendable {
    package enum Query: Codable, Hashable, Sendable {
        case assets(AssetFetchRequest)
        case collections(CollectionFetchRequest)

        /// Indicates whether a predicate filters the result.
        package var hasPredicate: Bool {
            switch self {
            case .assets(let request): request.predicate != nil
            case .collections(let request): request.predicate != nil
            }
        }
    }

    package var query: Query
    /// The client's current result, as of `snapshot`.
    package var ids: RowIDBuffer
    package var snapshot: LibrarySnapshot
    /// The pinned snapshot to advance to; nil for the current state.
    package var pin: Int64?
    /// Indicates whether the steps that lead to the new result are requested in addition to the
    /// result.
    package var wantsSteps: Bool

    package init(
        query: Query,
        ids: RowIDBuffer,
        snapshot: LibrarySnapshot,
        pin: Int64? = nil,
        wantsSteps: Bool = true
    ) {
        self.query = query
        self.ids = ids
        self.snapshot = snapshot
        self.pin = pin
        self.wantsSteps = wantsSteps
    }
}

/// The changes of a fetch result.
package struct AdvanceReply: Codable, Hashable, Sendable {
    package enum Outcome: Codable, Hashable, Sendable {
        /// The result contains the same unchanged objects in the same order.
        case unchanged
        case steps(RowIDBuffer, ListSteps)
        /// The new result without steps, because too much changed, no steps were requested, or the
        /// journal does not reach back to the old result.
        case reload(RowIDBuffer)
    }

    package var snapshot: LibrarySnapshot
    package var outcome: Outcome
    package init(snapshot: LibrarySnapshot, outcome: Outcome) {
        self.snapshot = snapshot
        self.outcome = outcome
    }
}

/// A request like `AdvanceRequest` that identifies the client's result by its digest.
package struct HeldAdvanceRequest: Codable, Hashable, Sendable {
    package var query: AdvanceRequest.Query
    /// The digest of the client's current result.
    package var result: RowIDDigest
    package var snapshot: LibrarySnapshot
    package var pin: Int64?
    package var wantsSteps: Bool

    package init(_ request: AdvanceRequest) {
        query = request.query
        result = RowIDDigest(request.ids)
        snapshot = request.snapshot
        pin = request.pin
        wantsSteps = request.wantsSteps
    }

    /// Returns the equivalent request with the row ids of the result instead of its digest.
    package func holding(_ ids: RowIDBuffer) -> AdvanceRequest {
        AdvanceRequest(
            query: query,
            ids: ids,
            snapshot: snapshot,
            pin: pin,
            wantsSteps: wantsSteps
        )
    }
}

/// The reply to a request that identifies a result by its digest.
package enum HeldAdvanceReply: Codable, Hashable, Sendable {
    /// The session does not retain the result; the request has to be repeated with the result's
    /// ids.
    case unknown
    case patch(LibrarySnapshot, ListPatch, ListSteps)
    case whole(AdvanceReply)
}

/// A request for the changes of objects since they were loaded.
package struct ObjectChangesRequest: Codable, Hashable, Sendable {
    /// The kind of the objects: `asset`, or `album` for both albums and folders.
    package var kind: ObjectKind
    package var ids: RowIDBuffer
    /// The version at which the objects were loaded.
    package var since: Int64
    /// The pinned snapshot to compare with; nil for the current state.
    package var pin: Int64?

    package init(kind: ObjectKind, ids: RowIDBuffer, since: Int64, pin: Int64? = nil) {
        self.kind = kind
        self.ids = ids
        self.since = since
        self.pin = pin
    }
}

/// The outcome for each object, in the order of the request.
package struct ObjectChangesReply: Codable, Hashable, Sendable {
    package enum Outcome: Codable, Hashable, Sendable {
        case unchanged
        case asset(AssetRecord, contentChanged: Bool)
        case collection(CollectionRecord)
        /// The object was deleted, is in Recently Deleted, or is no longer accessible.
        case deleted
    }

    package var version: Int64
    package var outcomes: [Outcome]
    package init(version: Int64, outcomes: [Outcome]) {
        self.version = version
        self.outcomes = outcomes
    }
}
