import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoModel
import ProgramAccess
import TestSupport
import Testing

@testable import PhotoLibrary

/// Every request of the seam, made by programs that may see nothing, a selection, or everything but
/// hidden assets: no request reveals more than is permitted.
@Suite(.timeLimit(.minutes(2))) struct DoorTests {
    /// An asset of the library, with its related objects.
    private struct Subject: Sendable {
        var asset: AssetRecord
        var resource: ResourceRecord
        var album: CollectionRecord
    }

    /// The effect of a request for a program.
    private enum Door: Sendable {
        /// Reveals an asset, or uses it.
        case tells(@Sendable (any LibraryService, Subject) throws -> Bool)
        /// Reveals or uses any asset, even a hidden one: albums, and row ids without values.
        case tellsOfAny(@Sendable (any LibraryService, Subject) throws -> Bool)
        /// Only for clients that may see everything.
        case isTheOwners(@Sendable (any LibraryService) throws -> Void)
        /// Reveals nothing of the library's content.
        case isOpen
    }

    private let world: LibraryWorld
    private let program: ClientProgram
    private let shown: Subject
    private let hidden: Subject

    init() throws {
        let world = try LibraryWorld()
        self.world = world
        program = ClientProgram(
            ProgramIdentity(identifier: "org.example.Door"),
            store: AccessStore(folder: world.folder.file("access").path)
        )
        var records = (["shown.jpg", "hidden.jpg"] + (0..<8).map { "other\($0).jpg" }).map {
            LibraryWorld.record($0)
        }
        for index in records.indices {
            records[index].creationDate = Date(timeIntervalSinceReferenceDate: 600_000_000)
        }
        records[1].isHidden = true
        let files = try records.enumerated().map { index, record in
            try world.insertWithFile(record, bytes: Array("bytes of \(index)".utf8))
        }
        for index in records.indices { records[index].id = files[index].assetID }
        let members = records.map(\.id)
        var album = CollectionFetcherTests.album("album")
        let made = album
        album.id = try world.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(made)
            try transaction.appendMembers(members, to: id)
            return id
        }
        shown = Subject(asset: records[0], resource: files[0], album: album)
        hidden = Subject(asset: records[1], resource: files[1], album: album)
    }

    private func service(for program: ClientProgram?) throws -> any LibraryService {
        try EmbeddedLibrary.open(
            at: world.path,
            for: program,
            configuration: EmbeddedLibrary.Configuration(makesRenditionsWhenIdle: false)
        )
    }

    private static let everything: AssetFetchRequest = {
        var request = AssetFetchRequest()
        request.includesHidden = true
        return request
    }()

    private static let doors: [String: Door] = [
        "status": .isOpen, "subscribe": .isOpen, "pin": .isOpen, "unpin": .isOpen,
        "cancel": .isOpen, "endImport": .isOpen, "endMigration": .isOpen, "close": .isOpen,
        "limitFetches": .isOpen,
        // The program's own permission.
        "authorizationStatus": .isOpen, "requestAuthorization": .isOpen,
        "changeSelection": .isOpen, "limitedSelection": .isOpen,
        // The client owns the file.
        "identify": .isOpen,
        // Reads the result of `listResources` and `openResource`.
        "adjustments": .isOpen,
        // A session in this process has nobody whose results it would have to hold.
        "advanceHeld": .isOpen,

        "fetch": .tells { try $0.fetch(everything).ids.contains($1.asset.id) },
        "openSession": .tells { service, subject in
            let other = try service.openSession(SessionRequest())
            defer { other.close() }
            return try other.fetch(everything).ids.contains(subject.asset.id)
        },
        "loadAssets": .tells {
            try !$0.loadAssets(AssetLoadRequest(ids: RowIDBuffer([$1.asset.id]))).assets.isEmpty
        },
        "countAssets": .tells {
            try !$0.countAssets(AssetCountRequest(ids: RowIDBuffer([$1.asset.id]))).counts.isEmpty
        },
        "captureDays": .tells {
            try $0.captureDays(CaptureDaysRequest(ids: RowIDBuffer([$1.asset.id]))).runs.contains {
                $0.day != nil
            }
        },
        "listResources": .tells {
            try !$0.listResources(ResourceListRequest(assetUUID: $1.asset.uuid)).resources.isEmpty
        },
        "openResource": .tells {
            _ = try $0.openResource(ResourceOpenRequest(resourceUUID: $1.resource.uuid))
            return true
        },
        "cloudStates": .tells {
            try $0.cloudStates(CloudStatesRequest(assetUUIDs: [$1.asset.uuid])).states
                .contains { $0 != nil }
        },
        "downloadResources": .tells { service, subject in
            let request = DownloadRequest([
                .resource(subject.resource.uuid),
                .image(assetUUID: subject.asset.uuid, version: .current),
            ])
            return try isKnown { try service.downloadResources(request) }
        },
        // The file is none that the worker reads, and its name is in the reply.
        "keptMetadata": .tells {
            let request = KeptMetadataRequest(assetUUID: $1.asset.uuid)
            return try !$0.keptMetadata(request).unreadable.isEmpty
        },
        "findContent": .tells {
            try $0.findContent(FindContentRequest(digests: [$1.resource.sha256])).matches
                .contains { !$0.isEmpty }
        },
        "assetDigests": .tells {
            try $0.assetDigests(AssetDigestsRequest(assetUUIDs: [$1.asset.uuid])).digests
                .contains { $0 != nil }
        },
        "fetchCollections": .tells {
            let request = CollectionFetchRequest(scope: .containing(asset: $1.asset.uuid))
            return try !$0.fetchCollections(request).ids.isEmpty
        },
        "loadCollections": .tellsOfAny {
            let request = CollectionLoadRequest(ids: RowIDBuffer([$1.album.id]))
            return try !$0.loadCollections(request).collections.isEmpty
        },
        "history": .tells { service, subject in
            try service.history(HistoryRequest(since: 0, limit: .max)).versions
                .flatMap(\.changes).contains { $0.uuid == subject.asset.uuid }
        },
        "touched": .tellsOfAny {
            let request = TouchedRequest(since: 0, through: try $0.status().version)
            return try $0.touched(request).assets.contains($1.asset.id)
        },
        "advance": .tells {
            let snapshot = LibrarySnapshot(version: 0, epoch: 0)
            let request = AdvanceRequest(
                query: .assets(everything),
                ids: RowIDBuffer(),
                snapshot: snapshot
            )
            switch try $0.advance(request).outcome {
            case .unchanged: return false
            case .steps(let ids, _), .reload(let ids): return ids.contains($1.asset.id)
            }
        },
        "objectChanges": .tells {
            let request = ObjectChangesRequest(
                kind: .asset,
                ids: RowIDBuffer([$1.asset.id]),
                since: 0
            )
            return try $0.objectChanges(request).outcomes.contains { $0 != .deleted }
        },
        // It also reveals that a file is not a picture.
        "image": .tells { service, subject in
            let shape = PixelShape(size: PixelSize(width: 8, height: 8))
            let request = ImageRequest(assetUUID: subject.asset.uuid, shape: shape)
            return try isKnown { _ = try service.image(request) }
        },
        "readyImages": .tells { service, subject in
            let shape = PixelShape(size: PixelSize(width: 8, height: 8))
            let request = ImageRequest(assetUUID: subject.asset.uuid, shape: shape)
            return try isKnown {
                let answers = try service.readyImages(ReadyImagesRequest([request])).answers
                if case .failed(let error) = answers.first { throw error }
            }
        },
        "thumbnail": .tells { service, subject in
            let request = ThumbnailRequest(assetUUID: subject.asset.uuid)
            return try isKnown { _ = try service.thumbnail(request) }
        },
        "imageData": .tells { service, subject in
            let request = ImageDataRequest(assetUUID: subject.asset.uuid, version: .current)
            return try isKnown { _ = try service.imageData(request) }
        },
        "movieData": .tells { service, subject in
            let request = MovieDataRequest(assetUUID: subject.asset.uuid, version: .current)
            return try isKnown { _ = try service.movieData(request) }
        },
        // Each call examines another photo, and returns the number of those left.
        "duplicates": .tellsOfAny { service, _ in
            try service.duplicates(DuplicatesRequest(patience: 0)).remaining > 0
        },
        // Files of the client, which reveal nothing.
        "stage": .isOpen, "releaseTokens": .isOpen,
        "commit": .tells { service, subject in
            var edit = AssetEdit()
            edit.isFavorite = true
            let action = ChangeAction.editAsset(uuid: subject.asset.uuid, edit)
            let changes = ChangeSet(operations: [ChangeOperation(request: "r", action: action)])
            _ = try service.commit(CommitRequest(changes: changes))
            return true
        },

        "beginImport": .isTheOwners { _ = try $0.beginImport(ImportSessionRequest()) },
        "knownFiles": .isTheOwners {
            _ = try $0.knownFiles(KnownFilesRequest(session: 0, files: []))
        },
        "importFiles": .isTheOwners {
            _ = try $0.importFiles(ImportFilesRequest(session: 0, files: []), files: [])
        },
        "beginMigration": .isTheOwners {
            let request = MigrationBeginRequest(
                path: "/",
                volumes: [],
                options: MigrationOptions()
            )
            _ = try $0.beginMigration(request, files: [])
        },
        "continueMigration": .isTheOwners {
            _ = try $0.continueMigration(MigrationStepRequest(migration: 0))
        },
        "openTakeout": .isTheOwners {
            _ = try $0.openTakeout(TakeoutOpenRequest(session: 0, sources: []), files: [])
        },
        "stepTakeout": .isTheOwners { _ = try $0.stepTakeout(TakeoutStepRequest(session: 0)) },
        "verify": .isTheOwners { _ = try $0.verify(VerifyRequest(isFull: false, repairs: false)) },
        "readerStatus": .isTheOwners { _ = try $0.readerStatus() },
        "refresh": .isTheOwners { _ = try $0.refresh(RefreshRequest()) },
        "fileDigests": .isTheOwners { _ = try $0.fileDigests(of: []) },
        "searchFacets": .isTheOwners { _ = try $0.searchFacets(SearchFacetsRequest(limit: 9)) },
        "undo": .isTheOwners { _ = try $0.undo(UndoRequest()) },
        "historyHorizon": .isTheOwners {
            _ = try $0.historyHorizon(HistoryHorizonRequest(days: 1))
        },
        "renditionStatus": .isTheOwners { _ = try $0.renditionStatus() },
        "buildRenditions": .isTheOwners {
            _ = try $0.buildRenditions(RenditionBuildRequest(side: 256))
        },
        "dropRenditions": .isTheOwners { try $0.dropRenditions() },
    ]

    /// Returns whether a request succeeds, or fails for another reason than a missing asset.
    private static func isKnown(_ request: () throws -> Void) throws -> Bool {
        do {
            try request()
            return true
        } catch let error as LibraryError
            where error.code != .identifierNotFound && error.code != .accessDenied
        {
            return true
        }
    }

    /// Returns whether a request reveals anything; errors that deny access reveal nothing.
    private static func opens(_ request: () throws -> Bool) throws -> Bool {
        do {
            return try request()
        } catch let error as LibraryError
            where error.code == .identifierNotFound || error.code == .accessDenied
        {
            return false
        }
    }

    @Test func everyRequestIsThoughtOf() throws {
        let protocols = ["AuthorizationService", "ChangeService", "LibraryService"]
        let requests = try protocols.flatMap { name in
            let file = SharedData.packageRoot
                .appendingPathComponent("Sources/Engine/LibraryService/\(name).swift")
            return try String(contentsOf: file, encoding: .utf8)
                .matches(of: /\n    func (\w+)\(/).map { String($0.output.1) }
        }
        #expect(requests.count > 30)
        #expect(Set(requests) == Set(Self.doors.keys))
    }

    @Test func noDoorTellsWhatItMayNot() throws {
        let owner = try service(for: nil)
        let client = try service(for: program)
        /// Applies a selection, and checks for which assets each request reveals something.
        func check(
            _ name: String,
            shown seesShown: Bool,
            hidden seesHidden: Bool,
            albums seesAlbums: Bool,
            _ choose: (inout AccessChoice) -> Void
        ) throws {
            try program.store.change(program.identity.identifier, choose)
            let isEverything = seesShown && seesHidden && seesAlbums
            for (request, door) in Self.doors {
                switch door {
                case .isOpen: break
                case .tells(let tells):
                    let opens = try Self.opens { try tells(client, shown) }
                    let opensHidden = try Self.opens { try tells(client, hidden) }
                    let isOfAlbums = request == "fetchCollections" && !seesAlbums
                    #expect(opens == (seesShown && !isOfAlbums), "\(name): \(request)")
                    #expect(opensHidden == (seesHidden && !isOfAlbums), "\(name): \(request)")
                case .tellsOfAny(let tells):
                    let opens = try Self.opens { try tells(client, shown) }
                    let sees = request == "touched" ? seesShown : seesAlbums
                    #expect(opens == sees, "\(name): \(request)")
                case .isTheOwners(let use):
                    if isEverything { continue }
                    #expect("\(name): \(request)") {
                        try use(client)
                    } throws: { error in
                        (error as? LibraryError)?.code == .accessDenied
                    }
                }
            }
        }
        for (request, door) in Self.doors {
            switch door {
            case .isOpen, .isTheOwners: break
            case .tells(let tells), .tellsOfAny(let tells):
                #expect(try tells(owner, shown), "\(request)")
                #expect(try tells(owner, hidden), "\(request)")
            }
        }
        try check("not determined", shown: false, hidden: false, albums: false) { _ in }
        try check("denied", shown: false, hidden: false, albums: false) {
            $0.set(.denied, for: .readWrite)
        }
        try check("add-only", shown: false, hidden: false, albums: false) {
            $0.set(.authorized, for: .addOnly)
        }
        try check("limited to nothing", shown: false, hidden: false, albums: false) {
            $0.set(.limited, for: .readWrite)
        }
        let library = try owner.status().libraryUUID
        let both: Set<String> = [shown.asset.uuid, hidden.asset.uuid]
        try check("limited", shown: true, hidden: false, albums: false) {
            $0.selections[library] = both
        }
        try check("limited, hidden too", shown: true, hidden: true, albums: false) {
            $0.includesHidden = true
        }
        try check("authorized", shown: true, hidden: false, albums: true) {
            $0 = AccessChoice(readWrite: .authorized)
        }
        try check("authorized, hidden too", shown: true, hidden: true, albums: true) {
            $0.includesHidden = true
        }
        try check("denied again", shown: false, hidden: false, albums: false) {
            $0.set(.denied, for: .readWrite)
        }
    }

    @Test func aViewWithoutHiddenAssetsTellsNothingOfThem() throws {
        let owner = try service(for: nil)
        let view = try owner.openSession(SessionRequest(restriction: .withoutHidden))
        for (request, door) in Self.doors {
            switch door {
            case .isOpen: break
            case .tells(let tells):
                #expect(try Self.opens { try tells(view, shown) }, "\(request)")
                #expect(try Self.opens { try tells(view, hidden) } == false, "\(request)")
            case .tellsOfAny(let tells):
                #expect(try Self.opens { try tells(view, shown) }, "\(request)")
            case .isTheOwners(let use):
                // Facets and thumbnail counts never include hidden assets; an undo is denied by the
                // changes that it would revert; digests of a client's files are not of the library.
                let permitted = ["searchFacets", "undo", "renditionStatus", "fileDigests"]
                if permitted.contains(request) { continue }
                #expect("\(request)") {
                    try use(view)
                } throws: { error in
                    (error as? LibraryError)?.code == .accessDenied
                }
            }
        }
        view.close()
        // The owner's view remains unrestricted.
        #expect(try owner.fetch(Self.everything).ids.contains(hidden.asset.id))
    }

    @Test func undoingInAViewRefusesWhatConcernsHiddenAssets() throws {
        let owner = try service(for: nil)
        let view = try owner.openSession(SessionRequest(restriction: .withoutHidden))
        func edit(_ uuid: String, _ change: (inout AssetEdit) -> Void) throws {
            var edit = AssetEdit()
            change(&edit)
            let operation = ChangeOperation(request: "r", action: .editAsset(uuid: uuid, edit))
            let changes = ChangeSet(operations: [operation])
            _ = try owner.commit(CommitRequest(changes: changes))
        }
        let undo = UndoRequest()
        func expectRefusal(_ comment: Comment) throws {
            #expect(comment) {
                try view.undo(undo)
            } throws: { error in
                guard let error = error as? LibraryError else { return false }
                return error.code == .accessDenied && error.identifiers.isEmpty
                    && !"\(error)".contains("hidden.jpg")
            }
        }
        try edit(hidden.asset.uuid) { $0.isFavorite = true }
        try expectRefusal("A hidden asset was changed.")
        _ = try owner.undo(undo)
        try edit(shown.asset.uuid) { $0.isHidden = true }
        try expectRefusal("An asset was hidden.")
        _ = try owner.undo(undo)
        try edit(shown.asset.uuid) { $0.isFavorite = true }
        let version = try view.status().version
        #expect(throws: LibraryError.self) {
            try view.undo(UndoRequest(expectedVersion: version - 1))
        }
        #expect(
            try view.undo(UndoRequest(expectedVersion: version)).undone.count == 1
        )
        let members = [shown.asset.id, hidden.asset.id]
        let album = shown.album.id
        try world.store.write(author: "another") { transaction in
            try transaction.removeMembers(members, from: album)
        }
        try expectRefusal("A hidden asset was taken out of an album.")
    }
}
