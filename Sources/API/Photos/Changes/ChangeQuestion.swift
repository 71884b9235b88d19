internal import LibraryService
internal import PhotoModel

/// Says whether something may be changed; called while no lock is held, on the thread that commits.
package typealias ChangePolicy = @Sendable (ChangeQuestion) -> Bool

/// What a person is asked before assets are deleted, or their content is edited.
package struct ChangeQuestion: Sendable, Hashable {
    /// What is to become of the assets.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// They go to Recently Deleted.
        case delete
        /// They go for good.
        case purge
        /// An edit is shown in place of what is shown now.
        case edit
        /// The original is shown again.
        case revert

        package var isDeletion: Bool { self == .delete || self == .purge }
    }

    package var kind: Kind
    /// The local identifiers of all of them.
    package var identifiers: [String]
    /// The original file names of the first few.
    package var filenames: [String]

    package init(_ kind: Kind, identifiers: [String], filenames: [String]) {
        self.kind = kind
        self.identifiers = identifiers
        self.filenames = filenames
    }

    /// How many file names a question has.
    private static let nameLimit = 10

    /// The questions about a change set: at most one of each kind.
    ///
    /// - Parameters:
    ///   - set: The changes.
    ///   - isAsked: Whether there is somebody to be asked about a kind.
    ///   - service: The library.
    /// - Returns: In the order of the kinds.
    /// - Throws: Why the assets cannot be named.
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
            // Can be changed back, or makes something new.
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

    /// The error for a no.
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
            "\(count) may not be \(what): nothing was changed.",
            reason: "The \(asked) was refused when it was asked about.",
            recovery: "Ask again, and have it answered with yes.",
            identifiers: identifiers
        )
    }
}
