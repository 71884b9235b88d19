internal import LibraryService
internal import PhotoModel

/// A closure that returns whether a change is allowed; called on the committing thread with no lock
/// held.
package typealias ChangePolicy = @Sendable (ChangeQuestion) -> Bool

/// A confirmation request for deleting assets or editing their content.
package struct ChangeQuestion: Sendable, Hashable {
    /// The kind of change to confirm.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Moves assets to Recently Deleted.
        case delete
        /// Deletes assets permanently.
        case purge
        /// Replaces the current version of assets with an edited version.
        case edit
        /// Reverts assets to their originals.
        case revert

        package var isDeletion: Bool { self == .delete || self == .purge }
    }

    package var kind: Kind
    /// The local identifiers of all affected assets.
    package var identifiers: [String]
    /// The original file names of some of the assets, at most ten.
    package var filenames: [String]

    package init(_ kind: Kind, identifiers: [String], filenames: [String]) {
        self.kind = kind
        self.identifiers = identifiers
        self.filenames = filenames
    }

    /// The maximum number of file names in a confirmation request.
    private static let nameLimit = 10

    /// Returns the confirmation requests for a change set, at most one of each kind.
    ///
    /// - Parameters:
    ///   - set: The changes.
    ///   - isAsked: Whether a policy exists for a kind.
    ///   - service: The library.
    /// - Returns: The questions, in the order of the kinds.
    /// - Throws: The reason that the assets' names cannot be read.
    static func questions(
        about set: ChangeSet,
        of isAsked: (Kind) -> Bool,
        _ service: any LibraryService
    ) throws(LibraryError) -> [ChangeQuestion] {
        var uuids: [Kind: [String]] = [:]
        for operation in set.operations {
            switch operation.action {
            case .deleteAssets(let deleted): uuids[.delete, default: []] += deleted
            case .purgeAssets(let purged): uuids[.purge, default: []] += purged
            case .editContent(let uuid, _): uuids[.edit, default: []].append(uuid)
            case .revertContent(let uuid, _): uuids[.revert, default: []].append(uuid)
            // These can be undone, or create something new.
            case .createAsset, .editAsset, .restoreAssets, .createCollection, .retitleCollection,
                .deleteCollections, .editMembers, .editChildren:
                break
            }
        }
        var questions: [ChangeQuestion] = []
        for kind in Kind.allCases where isAsked(kind) {
            guard let uuids = uuids[kind], !uuids.isEmpty else { continue }
            var seen: Set<String> = []
            let identifiers = uuids.filter { seen.insert($0).inserted }
                .map { $0 + ObjectKind.asset.identifierSuffix }
            questions.append(
                ChangeQuestion(
                    kind,
                    identifiers: identifiers,
                    filenames: try names(of: identifiers, kind, service)
                )
            )
        }
        return questions
    }

    private static func names(
        of identifiers: [String],
        _ kind: Kind,
        _ service: any LibraryService
    ) throws(LibraryError) -> [String] {
        let some = Array(identifiers.prefix(nameLimit))
        var request = AssetFetchRequest(
            scope: kind == .purge ? .recentlyDeleted : .identifiers(some)
        )
        request.includesHidden = true
        request.includesAllBurstMembers = true
        request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
        request.predicate = .comparison(
            PredicateComparison(
                .key("localIdentifier", position: nil),
                .in,
                .list(some.map { .value(.string($0)) })
            )
        )
        let ids = try service.fetch(request).ids
        return try service.loadAssets(AssetLoadRequest(ids: ids)).assets.map(\.originalFilename)
    }

    /// The error that the commit reports if this change was not confirmed.
    var refusal: LibraryError {
        let count = identifiers.count == 1 ? "1 item" : "\(identifiers.count) items"
        let (what, asked) =
            switch kind {
            case .delete, .purge: ("deleted", "deletion")
            case .edit: ("edited", "edit")
            case .revert: ("reverted", "revert")
            }
        return LibraryError(
            .cancelled,
            "\(count) cannot be \(what): nothing was changed.",
            reason: "The user did not confirm the \(asked).",
            recovery: "Try again and confirm it.",
            identifiers: identifiers
        )
    }
}
