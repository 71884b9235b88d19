internal import LibraryService
internal import PhotoModel

/// Says whether assets may be deleted; called while no lock is held, on the thread that commits.
package typealias DeletionPolicy = @Sendable (DeletionQuestion) -> Bool

/// What a person is asked before assets are deleted.
package struct DeletionQuestion: Sendable, Hashable {
    /// Whether they go for good, and not to Recently Deleted.
    package var isForGood: Bool
    /// The local identifiers of all of them.
    package var identifiers: [String]
    /// The original file names of the first few.
    package var filenames: [String]

    package init(isForGood: Bool, identifiers: [String], filenames: [String]) {
        self.isForGood = isForGood
        self.identifiers = identifiers
        self.filenames = filenames
    }

    /// How many file names a question has.
    private static let nameLimit = 10

    /// The questions about a change set: at most one about deleting and one about purging.
    static func questions(
        about set: ChangeSet,
        _ service: any LibraryService
    ) throws(LibraryError) -> [DeletionQuestion] {
        var deleted: [String] = []
        var purged: [String] = []
        for operation in set.operations {
            switch operation.action {
            case .deleteAssets(let uuids): deleted += uuids
            case .purgeAssets(let uuids): purged += uuids
            default: break
            }
        }
        var questions: [DeletionQuestion] = []
        for (uuids, isForGood) in [(deleted, false), (purged, true)] where !uuids.isEmpty {
            var seen: Set<String> = []
            let identifiers = uuids.filter { seen.insert($0).inserted }
                .map { $0 + ObjectKind.asset.identifierSuffix }
            questions.append(
                DeletionQuestion(
                    isForGood: isForGood,
                    identifiers: identifiers,
                    filenames: try names(of: identifiers, isForGood: isForGood, service)
                )
            )
        }
        return questions
    }

    private static func names(
        of identifiers: [String],
        isForGood: Bool,
        _ service: any LibraryService
    ) throws(LibraryError) -> [String] {
        let some = Array(identifiers.prefix(nameLimit))
        var request = AssetFetchRequest(scope: isForGood ? .recentlyDeleted : .identifiers(some))
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
        return LibraryError(
            .cancelled,
            "\(count) may not be deleted: nothing was changed.",
            reason: "The deletion was refused when it was asked about.",
            identifiers: identifiers
        )
    }
}
