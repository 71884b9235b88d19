import Foundation
import PhotoModel
import Testing

/// Identifiers and rules of assets, resources and collections.
@Suite(.timeLimit(.minutes(1))) struct RecordTests {
    private let uuid = "5C9E3B50-0000-4000-8000-000000000001"

    @Test func identifiersAreParsedAgain() {
        for kind in ObjectKind.allCases {
            let identifier = LocalIdentifier(uuid: uuid, kind: kind)
            #expect(identifier.description == uuid + kind.identifierSuffix)
            let expected = kind == .resource ? ObjectKind.asset : kind
            #expect(LocalIdentifier(identifier.description)?.kind == expected)
            #expect(LocalIdentifier(identifier.description)?.uuid == uuid)
        }
        #expect(LocalIdentifier(uuid.lowercased() + "/L0/001")?.uuid == uuid)
        for text in ["", "x", uuid + "/L0/099", uuid + "/", "/L0/001"] {
            #expect(LocalIdentifier(text) == nil, "\(text)")
        }
        let (first, second) = (LocalIdentifier(new: .album), LocalIdentifier(new: .album))
        #expect(first.kind == .album && first != second)
        #expect(LocalIdentifier(first.description) == first)
    }

    @Test func momentsHaveRowIdentifiersOfTheirOwn() {
        for id in [Int64(1), 7, 1 << 40] {
            let row = MomentLevel.rowID(of: id)
            #expect(MomentLevel.id(rowID: row) == id && SmartAlbum(rowID: row) == nil)
        }
        for row in [Int64(0), 5, -1, -999, -1_000, .min] {
            #expect(MomentLevel.id(rowID: row) == nil)
        }
        #expect(MomentLevel.allCases.map(\.kind) == [.moment, .momentList, .momentList])
    }

    @Test func collectionsOfTheLibraryAreBuiltIn() {
        #expect(CollectionRecord.root.isBuiltIn)
        #expect(CollectionRecord.root.localIdentifier == CollectionRecord.rootUUID + "/L0/020")
        var album = CollectionRecord(
            id: 3,
            uuid: uuid,
            kind: .album,
            title: "A",
            parentID: 0,
            position: 0,
            creationDate: .distantPast
        )
        #expect(!album.isBuiltIn && album.modificationDate == .distantPast)
        album.uuid = SmartAlbum.videos.uuid
        #expect(album.isBuiltIn)
    }

    @Test func recentDaysBeginThirtyDaysBefore() {
        #expect(SmartAlbum.firstRecentDay(at: 40 * 86_400) == 10)
        #expect(SmartAlbum.firstRecentDay(at: 40 * 86_400 - 1) == 9)
        #expect(SmartAlbum.firstRecentDay(at: -1) == -31)
        #expect(SmartAlbum.firstRecentDay(at: .infinity) == 0)
    }

    private var asset: AssetRecord {
        AssetRecord(
            id: 1,
            uuid: uuid,
            mediaType: .image,
            originalFilename: "a.jpg",
            contentType: "public.jpeg",
            addedDate: .distantPast
        )
    }

    @Test func newAssetsHaveNothingOfPeople() {
        #expect(asset.localIdentifier == uuid + "/L0/001")
        #expect(asset.modificationDate == asset.addedDate && asset.contentVersion == 1)
        #expect(!asset.isFavorite && !asset.isHidden && asset.personFacts.isEmpty)
        #expect(asset.sourceType == .userLibrary && asset.rating == 0)
    }

    @Test func framesAloneOfABurst() {
        var asset = asset
        asset.burstSelectionTypes = [.alone]
        #expect(!asset.isLoneFrame)
        asset.burstIdentifier = "B"
        #expect(asset.isLoneFrame)
        asset.burstSelectionTypes = [.userPick]
        #expect(!asset.isLoneFrame)
    }

    @Test func differencesOfFactsAreFound() {
        let first = asset
        var second = first
        #expect(SettableFacts(differingIn: first, second) == [])
        let changes: [(SettableFacts, (inout AssetRecord) -> Void)] = [
            (.location, { $0.location = Location(latitude: 1, longitude: 2) }),
            (.title, { $0.title = "T" }), (.caption, { $0.caption = "C" }),
            (.keywords, { $0.keywords = ["k"] }), (.rating, { $0.rating = 3 }),
        ]
        for (fact, change) in changes {
            var other = first
            change(&other)
            change(&second)
            #expect(SettableFacts(differingIn: first, other) == fact)
        }
        #expect(
            SettableFacts(differingIn: first, second).rawValue == KnownBits.settableFacts
        )
    }

    @Test func bitsOfOptionsAreKnown() {
        #expect(KnownBits.mediaSubtypes & MediaSubtypes.videoCinematic.rawValue != 0)
        #expect(KnownBits.mediaSubtypes & 1 << 5 == 0 && KnownBits.mediaSubtypes & 1 << 20 == 0)
        #expect(KnownBits.sourceTypes == 7 && KnownBits.burstSelections == 0x103)
    }

    @Test func filesOfEditsAreThoseThatEditingMade() {
        for type in ResourceType.allCases {
            let isEdit = (5...12).contains(type.rawValue) && type != .pairedVideo
            #expect(type.isMadeByEditing == isEdit, "\(type)")
            for folder in ["edits", "originals"] {
                let record = ResourceRecord(
                    id: 1,
                    uuid: uuid,
                    assetID: 1,
                    assetUUID: uuid,
                    type: type,
                    originalFilename: "a",
                    contentType: "public.jpeg",
                    path: folder + "/a",
                    size: 1,
                    sha256: "",
                    pixelSize: PixelSize(width: 1, height: 1)
                )
                #expect(record.isOfEdit == (isEdit && folder == "edits"))
            }
        }
    }

    @Test(
        "Files form an asset only in the documented combinations",
        arguments: [
            ([.photo], true), ([.video], true), ([.audio], true), ([.photoProxy], true),
            ([.photo, .pairedVideo], true), ([.photo, .alternatePhoto], true),
            ([.photo, .adjustmentData, .fullSizePhoto], true),
            ([.video, .adjustmentData, .fullSizeVideo, .adjustmentBaseVideo], true),
            (
                [
                    .photo, .pairedVideo, .adjustmentData, .fullSizePhoto, .fullSizePairedVideo,
                    .adjustmentBasePhoto, .adjustmentBasePairedVideo,
                ], true
            ),
            ([], false), ([.alternatePhoto], false), ([.photo, .photo], false),
            ([.photo, .video], false), ([.video, .pairedVideo], false),
            ([.photo, .fullSizePhoto], false), ([.photo, .sidecar], false),
            ([.audio, .adjustmentData], false), ([.photoProxy, .adjustmentData], false),
            ([.photo, .adjustmentData, .fullSizePairedVideo], false),
        ] as [([ResourceType], Bool)]
    )
    func combinations(types: [ResourceType], isSupported: Bool) {
        #expect(ResourceCombination.supports(types) == isSupported)
        #expect((ResourceCombination.problem(with: types) == nil) == isSupported)
    }

    @Test func theReasonNamesTheFiles() {
        #expect(
            ResourceCombination.problem(with: [.photo, .photo])
                == "There are 2 files of the type photo, but an asset has at most one of each type."
        )
        #expect(ResourceCombination.problem(with: [])?.hasSuffix("no files.") == true)
        #expect(
            ResourceCombination.problem(with: [.video, .pairedVideo])
                == "A file of the type pairedVideo requires photo."
        )
    }
}
