import FoundationEssentials
import LibraryService
import PhotoModel
import Testing

/// Change sets and their results.
@Suite(.timeLimit(.minutes(2))) struct ChangeCodingTests {
    static let steps: [ListEdit.Step] = [
        .add([]), .add(["a", "b"]), .insert(["a", "b"], at: [0, .max]), .remove(["a"]),
        .removeAt([3, 1]), .replace(at: [2], with: ["c"]), .move(from: [4, 5], to: 0),
    ]

    static let actions: [ChangeAction] = [
        .createAsset(SeamValues.assetCreation), .createAsset(AssetCreation(uuid: "")),
        .editAsset(uuid: "a", SeamValues.assetEdit), .editAsset(uuid: "a", AssetEdit()),
        .editContent(
            uuid: "a",
            ContentEdit(
                adjustments: ContentAdjustments(
                    formatIdentifier: "org.example",
                    formatVersion: "1",
                    data: Data([0, 255])
                ),
                renderings: [ResourceCreation(type: .fullSizePhoto, file: FileToken(0))],
                bases: ["b"]
            )
        ),
        .revertContent(uuid: "a", choice: nil), .revertContent(uuid: "a", choice: 1),
        .deleteAssets(["a", "b"]), .restoreAssets(["a"]), .purgeAssets([]),
        .createCollection(
            CollectionCreation(uuid: "a", kind: .album, title: "T", reusesTitled: true)
        ),
        .createCollection(CollectionCreation(uuid: "b", kind: .folder, title: "")),
        .retitleCollection(uuid: "a", title: "Ünïcode 👩‍👩‍👧"),
        .deleteCollections(["a"]),
        .editMembers(album: "a", ListEdit(basis: RowIDBuffer([3, 1, .max]), steps: steps)),
        .editMembers(album: "a", ListEdit(steps: [])),
        .editChildren(
            folder: CollectionRecord.rootUUID,
            ListEdit(basis: RowIDBuffer(), steps: [])
        ),
    ]

    @Test(arguments: actions) func operationsComeBack(_ action: ChangeAction) throws {
        // Add later actions to the list above.
        switch action {
        case .createAsset, .editAsset, .editContent, .revertContent, .deleteAssets, .restoreAssets,
            .purgeAssets, .createCollection, .retitleCollection, .deleteCollections, .editMembers,
            .editChildren:
            break
        }
        let operation = ChangeOperation(request: "PHAssetChangeRequest.isFavorite", action: action)
        try expectRoundTrip(operation)
        try expectRoundTrip(
            CommitRequest(changes: ChangeSet(operations: [operation, operation]))
        )
    }

    @Test(arguments: steps) func listStepsComeBack(_ step: ListEdit.Step) throws {
        // Add later steps to the list above.
        switch step {
        case .add, .insert, .remove, .removeAt, .replace, .move: break
        }
        try expectRoundTrip(step)
    }

    /// Clearing a property differs from leaving it unchanged.
    @Test func editsTellClearingFromLeaving() throws {
        var cleared = AssetEdit()
        cleared.creationDate = .clear
        cleared.location = .clear
        cleared.title = .clear
        cleared.caption = .clear
        try expectRoundTrip(cleared)
        try expectRoundTrip(AssetEdit())
        try expectRoundTrip(FieldEdit<String>.clear)
        try expectRoundTrip(FieldEdit.set(""))
        #expect(cleared != AssetEdit())
    }

    @Test func creationsComeBack() throws {
        try expectRoundTrip(SeamValues.assetCreation)
        try expectRoundTrip(ResourceCreation(type: .photo, file: FileToken(0)))
        try expectRoundTrip(CommitRequest(changes: ChangeSet()))
    }

    @Test func stagedFilesComeBack() throws {
        try expectRoundTrip(FileToken(.max))
        try expectRoundTrip(StageRequest(type: .pairedVideo))
        try expectRoundTrip(StageRequest(for: SeamValues.assetCreation.resources[0]))
        try expectRoundTrip(StageReply(token: FileToken(.min), size: .max))
        try expectRoundTrip(ReleaseTokensRequest(tokens: []))
        try expectRoundTrip(ReleaseTokensRequest(tokens: [FileToken(1), FileToken(2)]))
    }

    @Test func tokensAreReplacedInOrder() throws {
        let edit = ContentEdit(
            adjustments: ContentAdjustments(
                formatIdentifier: "f",
                formatVersion: "1",
                data: Data()
            ),
            renderings: [ResourceCreation(type: .fullSizePhoto, file: FileToken(2))]
        )
        let creation = AssetCreation(
            uuid: "8D7B",
            resources: [ResourceCreation(type: .photo, file: FileToken(1))],
            content: edit
        )
        let set = ChangeSet(operations: [
            ChangeOperation(request: "r", action: .createAsset(creation)),
            ChangeOperation(request: "r", action: .deleteAssets(["8D7B"])),
            ChangeOperation(request: "r", action: .editContent(uuid: "8D7B", edit)),
        ])
        #expect(set.resources.map(\.file.number) == [1, 2, 2])
        var next: Int64 = 10
        let mapped = set.mappingTokens { _ in
            next += 1
            return FileToken(next)
        }
        #expect(mapped.resources.map(\.file.number) == [11, 12, 13])
        #expect(mapped.mappingTokens { FileToken(min($0.number - 10, 2)) } == set)
    }

    @Test func repliesComeBack() throws {
        try expectRoundTrip(CommitReply(version: .max))
        try expectRoundTrip(CommitReply(version: 0, reused: ["a": "b"]))
        try expectRoundTrip(UndoRequest())
        for restriction in SessionRequest.Restriction.allCases {
            try expectRoundTrip(SessionRequest(restriction: restriction, author: "gallery"))
        }
        try expectRoundTrip(FetchLimitRequest(seconds: nil))
        try expectRoundTrip(FetchLimitRequest(seconds: 0.5))
        try expectRoundTrip(UndoRequest(redoes: true))
        try expectRoundTrip(UndoRequest(isTrial: true, expectedVersion: 7))
        try expectRoundTrip(UndoRequest(redoes: true, expectedVersion: 7, expectedTarget: 6))
        try expectRoundTrip(UndoReply(version: 8, undone: [SeamValues.historyVersion]))
    }

    @Test func knownContentComesBack() throws {
        try expectRoundTrip(FindContentRequest(digests: [String(repeating: "f", count: 64)]))
        let match = ContentMatch(localIdentifier: "a/L0/001", isTrashed: true)
        try expectRoundTrip(FindContentReply(matches: [[], [match, match]]))
        try expectRoundTrip(IdentifyRequest(filename: "IMG_0001.JPG"))
        try expectRoundTrip(IdentifyReply(mediaType: .video))
        try expectRoundTrip(IdentifyReply(mediaType: nil))
        try expectRoundTrip(FileDigestsReply(digests: [String(repeating: "0", count: 64)]))
        try expectRoundTrip(AssetDigestsRequest(assetUUIDs: ["a", "b"], includesDeleted: false))
        try expectRoundTrip(AssetDigestsReply(digests: [nil, String(repeating: "f", count: 64)]))
        try expectRoundTrip(AssetDigestsReply(digests: [], libraries: [UUID().uuidString, "b"]))
    }
}
