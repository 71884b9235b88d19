import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

@testable import PhotoLibrary

/// Every reason to reject a change set: the code, and a helpful message.
@Suite(.timeLimit(.minutes(2))) struct ChangeErrorTests {
    /// The objects that exist when a set is rejected.
    struct Objects: Sendable {
        /// The assets in the album.
        var assets: [String]
        var trashed: String
        var album: String
        /// The folder in `outer`.
        var folder: String
        var outer: String
        let unknown = "12345678-0000-4000-8000-000000000000"
        let smart = "00000000-0000-0000-0000-000000000201"
        let root = CollectionRecord.rootUUID
    }

    /// A rejected set.
    struct RefusedChange: Sendable, CustomTestStringConvertible {
        var name: String
        var code: LibraryError.Code
        /// A part of the message or the reason.
        var words: String
        var actions: @Sendable (Objects) -> [ChangeAction]

        init(
            _ name: String,
            _ code: LibraryError.Code,
            _ words: String,
            _ actions: @escaping @Sendable (Objects) -> [ChangeAction]
        ) {
            self.name = name
            self.code = code
            self.words = words
            self.actions = actions
        }

        var testDescription: String { name }
    }

    private static func edit(_ uuid: String, _ body: (inout AssetEdit) -> Void = { _ in })
        -> ChangeAction
    {
        var edit = AssetEdit()
        body(&edit)
        return .editAsset(uuid: uuid, edit)
    }

    private static func members(_ album: String, _ steps: ListEdit.Step...) -> ChangeAction {
        .editMembers(album: album, ListEdit(steps: steps))
    }

    private static func children(_ folder: String, _ steps: ListEdit.Step...) -> ChangeAction {
        .editChildren(folder: folder, ListEdit(steps: steps))
    }

    private static func creation(_ uuid: String, _ kind: ObjectKind = .album) -> ChangeAction {
        .createCollection(CollectionCreation(uuid: uuid, kind: kind, title: "New"))
    }

    static let refusals: [RefusedChange] = [
        // Unknown, or of another kind.
        .init("unknown asset", .identifierNotFound, "no asset") { [edit($0.unknown)] },
        .init("deleting an unknown asset", .identifierNotFound, "no asset") {
            [.deleteAssets([$0.assets[0], $0.unknown])]
        },
        .init("restoring an unknown asset", .identifierNotFound, "no asset") {
            [.restoreAssets([$0.unknown])]
        },
        .init("purging an unknown asset", .identifierNotFound, "no asset") {
            [.purgeAssets([$0.unknown])]
        },
        .init("unknown album", .identifierNotFound, "no album") {
            [members($0.unknown, .add($0.assets))]
        },
        .init("unknown folder", .identifierNotFound, "no folder") {
            [children($0.unknown, .add([$0.album]))]
        },
        .init("unknown member", .identifierNotFound, "no asset") {
            [members($0.album, .add([$0.unknown]))]
        },
        .init("unknown member to remove", .identifierNotFound, "no asset") {
            [members($0.album, .remove([$0.unknown]))]
        },
        .init("unknown child", .identifierNotFound, "no album or folder") {
            [children($0.folder, .add([$0.unknown]))]
        },
        .init("renaming an unknown collection", .identifierNotFound, "no album or folder") {
            [.retitleCollection(uuid: $0.unknown, title: "T")]
        },
        .init("deleting an unknown collection", .identifierNotFound, "no album or folder") {
            [.deleteCollections([$0.unknown])]
        },
        .init("an album as an asset", .changeNotSupported, "instead of asset") { [edit($0.album)] },
        .init("an asset as an album", .changeNotSupported, "instead of album") {
            [members($0.assets[0], .add($0.assets))]
        },
        .init("a folder as an album", .changeNotSupported, "instead of album") {
            [members($0.folder, .add($0.assets))]
        },
        .init("an album as a folder", .changeNotSupported, "instead of folder") {
            [children($0.album, .add([$0.folder]))]
        },
        .init("an album as a member", .changeNotSupported, "instead of asset") {
            [members($0.album, .add([$0.folder]))]
        },
        .init("an asset as a child", .changeNotSupported, "instead of album or folder") {
            [children($0.folder, .add([$0.assets[0]]))]
        },
        // Objects that the library itself creates.
        .init("renaming the root", .changeNotSupported, "root folder") {
            [.retitleCollection(uuid: $0.root, title: "T")]
        },
        .init("deleting the root", .changeNotSupported, "root folder") {
            [.deleteCollections([$0.root])]
        },
        .init("moving the root", .changeNotSupported, "root folder") {
            [children($0.folder, .add([$0.root]))]
        },
        .init("taking out of the root", .changeNotSupported, "root folder") {
            [children($0.root, .remove([$0.album]))]
        },
        .init("assets in the root", .changeNotSupported, "instead of album") {
            [members($0.root, .add($0.assets))]
        },
        .init("members of a smart album", .changeNotSupported, "smart album") {
            [members($0.smart, .add($0.assets))]
        },
        .init("renaming a smart album", .changeNotSupported, "smart album") {
            [.retitleCollection(uuid: $0.smart, title: "T")]
        },
        .init("deleting a smart album", .changeNotSupported, "smart album") {
            [.deleteCollections([$0.smart])]
        },
        // Recently Deleted.
        .init("editing in Recently Deleted", .changeNotSupported, "Recently Deleted") {
            [edit($0.trashed)]
        },
        .init("adding from Recently Deleted", .changeNotSupported, "Recently Deleted") {
            [members($0.album, .add([$0.trashed]))]
        },
        .init("inserting from Recently Deleted", .changeNotSupported, "Recently Deleted") {
            [members($0.album, .insert([$0.trashed], at: [0]))]
        },
        .init("purging what is not there", .changeNotSupported, "not in Recently Deleted") {
            [.purgeAssets([$0.assets[0]])]
        },
        // Objects that the same set deletes.
        .init("editing what was deleted", .identifierNotFound, "earlier request") {
            [.deleteAssets([$0.assets[0]]), edit($0.assets[0])]
        },
        .init("adding what was deleted", .identifierNotFound, "earlier request") {
            [.deleteAssets([$0.assets[0]]), members($0.album, .add([$0.assets[0]]))]
        },
        .init("restoring what was purged", .identifierNotFound, "earlier request") {
            [.purgeAssets([$0.trashed]), .restoreAssets([$0.trashed])]
        },
        .init("renaming what was deleted", .identifierNotFound, "earlier request") {
            [.deleteCollections([$0.album]), .retitleCollection(uuid: $0.album, title: "T")]
        },
        .init("filling what was deleted", .identifierNotFound, "earlier request") {
            [.deleteCollections([$0.outer]), children($0.folder, .add([$0.album]))]
        },
        // Identifiers of new objects.
        .init("no UUID", .invalidRequest, "not a UUID") { _ in [creation("album")] },
        .init("lower case", .invalidRequest, "not a UUID") {
            [creation($0.unknown.replacingOccurrences(of: "8", with: "a"))]
        },
        .init("an album's identifier", .invalidRequest, "Another object") { [creation($0.album)] },
        .init("an asset's identifier", .invalidRequest, "Another object") {
            [creation($0.assets[0])]
        },
        .init("twice the same", .invalidRequest, "Another object") {
            [creation($0.unknown), creation($0.unknown, .folder)]
        },
        .init("a deleted one's", .invalidRequest, "Another object") {
            [.deleteCollections([$0.album]), creation($0.album)]
        },
        .init("an asset as a collection", .invalidRequest, "kind") {
            [creation($0.unknown, .asset)]
        },
        // Folders within themselves.
        .init("a folder in itself", .changeNotSupported, "itself") {
            [children($0.folder, .add([$0.folder]))]
        },
        .init("a folder in one that it holds", .changeNotSupported, "itself") {
            [children($0.folder, .insert([$0.outer], at: [0]))]
        },
        // Indexes; `ListEditingTests` covers them all.
        .init("index of a member", .invalidRequest, "The index 3") {
            [members($0.album, .removeAt([3]))]
        },
        .init("index of a child", .invalidRequest, "The index 1") {
            [children($0.outer, .move(from: [1], to: 0))]
        },
        .init("counts", .invalidRequest, "1 objects, but 2 indexes") {
            [members($0.album, .insert([$0.assets[0]], at: [0, 1]))]
        },
        // Values; `AssetEditingTests` covers them all.
        .init("a rating", .invalidRequest, "6 is not a valid rating") {
            [edit($0.assets[0]) { $0.rating = 6 }]
        },
        .init("no Live Photo", .changeNotSupported, "Live Photo") {
            [edit($0.assets[0]) { $0.isLivePhotoPlaybackEnabled = true }]
        },
        .init("no second original", .changeNotSupported, "alternate original") {
            [edit($0.assets[0]) { $0.originalResourceChoice = 1 }]
        },
    ]

    /// A library for all rejected sets, none of which leaves a trace.
    private static let refusing = Result { () throws -> (ChangeWorld, Objects) in
        let world = try ChangeWorld()
        let assets = try world.assets(4)
        try world.commit(.deleteAssets([assets[3]]))
        let folder = try world.folder("Inner")
        let objects = Objects(
            assets: Array(assets[..<3]),
            trashed: assets[3],
            album: try world.album(of: Array(assets[..<3])),
            folder: folder,
            outer: try world.folder("Outer", of: [folder])
        )
        return (world, objects)
    }

    @Test("A refused set says which request, what, why, and what helps", arguments: refusals)
    func refuses(_ refusal: RefusedChange) throws {
        let (world, objects) = try Self.refusing.get()
        let assets = objects.assets
        let version = try world.version()
        let actions = [Self.edit(assets[0]) { $0.isFavorite = true }] + refusal.actions(objects)
        let error = try #require(throws: LibraryError.self) { try world.commit(actions) }
        #expect(error.code == refusal.code)
        let prefix = "Change request \(actions.count) of \(actions.count) (Test.request): "
        #expect(error.message.hasPrefix(prefix), "\(error.message)")
        #expect(error.description.contains(refusal.words), "\(error)")
        #expect(error.reason?.isEmpty == false, "\(error)")
        #expect(error.recovery?.isEmpty == false, "\(error)")
        if error.code != .invalidRequest { #expect(!error.identifiers.isEmpty, "\(error)") }
        #expect(try world.version() == version)
        #expect(try world.asset(assets[0])?.isFavorite == false)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    // MARK: - Files

    /// A rejected creation.
    struct RefusedFile: Sendable, CustomTestStringConvertible {
        var name: String
        var code: LibraryError.Code
        var words: String
        var types: [ResourceType]
        /// Facts, or bytes that are not media.
        var files: [MediaFacts?]
        var testDescription: String { name }

        init(
            _ name: String,
            _ code: LibraryError.Code,
            _ words: String,
            _ types: [ResourceType],
            _ files: [MediaFacts?]
        ) {
            self.name = name
            self.code = code
            self.words = words
            self.types = types
            self.files = files
        }
    }

    private static var unreadable: MediaFacts {
        var facts = MediaFacts.still()
        facts.hasReadableHeader = false
        facts.warnings = ["Premature end"]
        return facts
    }

    static let fileRefusals: [RefusedFile] = [
        .init("no files", .missingResource, "no files", [], []),
        .init("no primary", .changeNotSupported, "pairedVideo", [.pairedVideo], [.movie()]),
        .init(
            "two primaries",
            .changeNotSupported,
            "photo, video",
            [.photo, .video],
            [.still(), .movie()]
        ),
        .init("no medium", .invalidResource, "It is text", [.photo], [nil]),
        .init("a movie as a photo", .invalidResource, "quicktime", [.photo], [.movie()]),
        .init("a photo as a movie", .invalidResource, "public.jpeg", [.video], [.still()]),
        .init("a movie as a sound", .invalidResource, "not an audio file", [.audio], [.movie()]),
        .init("a sidecar as a photo", .invalidResource, "not a photo", [.photo], [.sidecar(.xmp)]),
        .init("a damaged photo", .invalidResource, "Premature end", [.photo], [unreadable]),
        .init(
            "two processed",
            .invalidResource,
            "RAW",
            [.photo, .alternatePhoto],
            [.still(), .still(.heic)]
        ),
        .init(
            "a photo as adjustments",
            .invalidResource,
            "not adjustment data",
            [.photo, .adjustmentData],
            [.still(), .still()]
        ),
        .init(
            "halves without identifiers",
            .invalidRequest,
            "Neither",
            [.photo, .pairedVideo],
            [.still(), .movie()]
        ),
        .init(
            "halves of two Live Photos",
            .invalidRequest,
            "content identifier is a",
            [.photo, .pairedVideo],
            [.still(content: "a"), .movie(content: "b")]
        ),
        .init(
            "a still of no Live Photo",
            .invalidRequest,
            "The photo has no",
            [.photo, .pairedVideo],
            [.still(), .movie(content: "b")]
        ),
        .init(
            "a movie of no Live Photo",
            .invalidRequest,
            "The video has no",
            [.photo, .pairedVideo],
            [.still(content: "a"), .movie()]
        ),
        .init(
            "a file that did not come",
            .tokenUnknown,
            "/photos/1.jpg is not staged",
            [.photo, .pairedVideo],
            [.still()]
        ),
    ]

    /// Returns the error of a creation that follows a valid one; `isFirst` allows the valid one to
    /// fail, too.
    private func refusal(
        of types: [ResourceType],
        files: [Descriptor],
        in world: ChangeWorld,
        isFirst: Bool = false
    ) throws -> LibraryError {
        let good = try world.file(.still(salt: "good"))
        let resources = types.enumerated().map { index, type in
            ResourceCreation(
                type: type,
                file: FileToken(Int64(index)),
                path: "/photos/\(index).jpg"
            )
        }
        let creations = [
            AssetCreation(
                uuid: UUID().uuidString,
                resources: [ResourceCreation(type: .photo, file: FileToken(Int64(files.count)))]
            ),
            AssetCreation(uuid: UUID().uuidString, resources: resources),
        ]
        let isShort = types.count > files.count
        let error = try #require(throws: LibraryError.self) {
            try world.commit(
                isShort ? [.createAsset(creations[1])] : creations.map(ChangeAction.createAsset),
                files: isShort ? files : files + [good]
            )
        }
        let place = isShort ? "1 of 1" : "2 of 2"
        #expect(
            error.message.hasPrefix("Change request \(place) (Test.request): ")
                || isFirst && error.message.hasPrefix("Change request 1 of 2 (Test.request): "),
            "\(error)"
        )
        #expect(error.reason?.isEmpty == false, "\(error)")
        #expect(error.recovery?.isEmpty == false, "\(error)")
        #expect(try world.version() == 0)
        #expect(try ImportWorld.originals(of: world.store) == [])
        let staging = world.store.bundle.staging
        let left = try FileManager.default.subpathsOfDirectory(atPath: staging)
        #expect(left.filter { $0.hasSuffix(".part") } == [])
        return error
    }

    @Test("Refused files say what is wrong with them (behaviour 142)", arguments: fileRefusals)
    func refusesFiles(_ refusal: RefusedFile) throws {
        let world = try ChangeWorld()
        let files = try refusal.files.map { facts in
            try facts.map(world.file) ?? world.file(Data("text".utf8))
        }
        let error = try self.refusal(of: refusal.types, files: files, in: world)
        #expect(error.code == refusal.code, "\(error)")
        #expect(error.description.contains(refusal.words), "\(error)")
    }

    @Test("An empty file, a folder and a pipe are no resources")
    func refusesWhatHasNoBytes() throws {
        let world = try ChangeWorld()
        let empty = try refusal(of: [.photo], files: [try world.file(Data())], in: world)
        #expect(empty.code == .invalidResource)
        #expect(empty.description.contains("0 bytes"))
        #expect(empty.path == "/photos/0.jpg")
        for (path, kind) in [("/tmp", "a folder"), ("/dev/null", "a device")] {
            let descriptor = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            let error = try refusal(of: [.photo], files: [descriptor], in: world)
            #expect(error.code == .invalidResource)
            #expect(error.description.contains(kind))
        }
    }

    @Test("A missing worker is no fault of the file")
    func noWorker() throws {
        let failure = WorkerError(message: "photos-worker is missing.", recovery: "Install it.")
        let world = try ChangeWorld(prober: TableProber(failure: failure))
        let file = try world.file(.still())
        let error = try refusal(of: [.photo], files: [file], in: world, isFirst: true)
        #expect(error.code == .workerUnavailable)
        #expect(error.recovery == "Install it.")
    }

    @Test("A file that is written to meanwhile is refused")
    func changing() throws {
        let path = "/tmp/photos-changing-\(UUID().uuidString)"
        defer { unlink(path) }
        let files = FileOperations { step in
            if step == .write {
                let descriptor = open(path, O_WRONLY | O_APPEND)
                write(descriptor, "more", 4)
                close(descriptor)
            }
            return 0
        }
        let world = try ChangeWorld(files: files)
        try Data("some bytes".utf8).write(to: URL(fileURLWithPath: path))
        let descriptor = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        let error = try refusal(of: [.photo], files: [descriptor], in: world)
        #expect(error.code == .invalidResource)
        #expect(error.description.contains("changed while it was being read"))
    }
}
