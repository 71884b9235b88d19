package import PhotoModel

/// The library's present state, held for a while.
///
/// The engine lets go of it after some seconds; whoever names it then is answered from the present.
package struct PinReply: Codable, Hashable, Sendable {
    package var pin: Int64
    package var snapshot: LibrarySnapshot
    package init(pin: Int64, snapshot: LibrarySnapshot) {
        self.pin = pin
        self.snapshot = snapshot
    }
}

/// Lets go of a pinned state.
package struct UnpinRequest: Codable, Hashable, Sendable {
    package var pin: Int64
    package init(pin: Int64) { self.pin = pin }
}

/// Asks which objects changed after one version up to another.
package struct TouchedRequest: Codable, Hashable, Sendable {
    package var since: Int64
    package var through: Int64
    package init(since: Int64, through: Int64) {
        self.since = since
        self.through = through
    }
}

/// The row ids of objects that changed, each once, ascending.
package struct TouchedReply: Codable, Hashable, Sendable {
    package var assets: RowIDBuffer
    /// Albums and folders.
    package var collections: RowIDBuffer
    package init(assets: RowIDBuffer, collections: RowIDBuffer) {
        self.assets = assets
        self.collections = collections
    }
}

/// Asks how the answer to a fetch became another.
package struct AdvanceRequest: Codable, Hashable, Sendable {
    package enum Query: Codable, Hashable, Sendable {
        case assets(AssetFetchRequest)
        case collections(CollectionFetchRequest)

        /// Whether a predicate chooses what belongs to the answer.
        package var hasPredicate: Bool {
            switch self {
            case .assets(let request): request.predicate != nil
            case .collections(let request): request.predicate != nil
            }
        }
    }

    package var query: Query
    /// The answer that the client has, and what it belongs to.
    package var ids: RowIDBuffer
    package var snapshot: LibrarySnapshot
    /// The pinned state to go to; nil for the present one.
    package var pin: Int64?
    /// False: only the new answer is wanted.
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

/// The answer to the same fetch later.
package struct AdvanceReply: Codable, Hashable, Sendable {
    package enum Outcome: Codable, Hashable, Sendable {
        /// The same objects in the same order, none of them changed.
        case unchanged
        case steps(RowIDBuffer, ListSteps)
        /// Too much changed, steps were not wanted, or the journal does not reach back.
        case reload(RowIDBuffer)
    }

    package var snapshot: LibrarySnapshot
    package var outcome: Outcome
    package init(snapshot: LibrarySnapshot, outcome: Outcome) {
        self.snapshot = snapshot
        self.outcome = outcome
    }
}

/// Asks what became of objects since they were loaded.
package struct ObjectChangesRequest: Codable, Hashable, Sendable {
    /// `asset`, or `album` for albums and folders alike.
    package var kind: ObjectKind
    package var ids: RowIDBuffer
    /// The version at which they were loaded.
    package var since: Int64
    /// The pinned state to compare with; nil for the present one.
    package var pin: Int64?

    package init(kind: ObjectKind, ids: RowIDBuffer, since: Int64, pin: Int64? = nil) {
        self.kind = kind
        self.ids = ids
        self.since = since
        self.pin = pin
    }
}

/// What became of each object, in the request's order.
package struct ObjectChangesReply: Codable, Hashable, Sendable {
    package enum Outcome: Codable, Hashable, Sendable {
        case unchanged
        case asset(AssetRecord, contentChanged: Bool)
        case collection(CollectionRecord)
        /// Deleted, or in Recently Deleted, or no longer permitted.
        case deleted
    }

    package var version: Int64
    package var outcomes: [Outcome]
    package init(version: Int64, outcomes: [Outcome]) {
        self.version = version
        self.outcomes = outcomes
    }
}
