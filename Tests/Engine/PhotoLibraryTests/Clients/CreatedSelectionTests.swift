import Foundation
import Glibc
import LibraryService
import PhotoModel
import ProgramAccess
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// The assets that a limited program creates join its selection, and no others do.
@Suite(.timeLimit(.minutes(2))) struct CreatedSelectionTests {
    /// Records whether the choices of programs are written.
    private struct Writes {
        // Open, so that no later file has the same number.
        private let first: Descriptor
        private let path: String

        init(_ store: AccessStore) throws {
            path = store.folder + "/choices.json"
            first = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            try #require(first.number >= 0)
        }

        /// Indicates whether the file was replaced, as each write does.
        var isAny: Bool {
            var (before, now) = (stat(), stat())
            guard fstat(first.number, &before) == 0, stat(path, &now) == 0 else { return true }
            return before.st_ino != now.st_ino
        }
    }

    private let world: ClientWorld
    private let engine: LibraryEngine
    private let library: String

    init() throws {
        world = try ClientWorld()
        engine = try world.engine()
        library = try engine.libraryUUID()
    }

    private func client(seeing assets: Set<String>) throws -> any LibraryService {
        let choice = AccessChoice(readWrite: .limited, selections: [library: assets])
        let program = try world.program("limited", choice)
        return try engine.session(for: ClientIdentity(program: program))
    }

    private var selection: Set<String>? {
        get throws { try world.access.choice(of: "limited").selections[library] }
    }

    private func stage(_ seed: UInt64, _ session: any LibraryService) throws -> FileToken {
        let size = PixelSize(width: 64, height: 48)
        let data = try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: seed), size: size))
        let file = try world.library.folder.write(data, to: "new/\(seed).jpg")
        let descriptor = Descriptor(owning: open(file.path, O_RDONLY | O_CLOEXEC))
        return try session.stage(StageRequest(type: .photo), file: descriptor).token
    }

    private static func creation(_ files: KeyValuePairs<String, FileToken>) -> CommitRequest {
        let operations = files.map { uuid, token in
            let resource = ResourceCreation(type: .photo, file: token)
            let creation = AssetCreation(uuid: uuid, resources: [resource])
            return ChangeOperation(request: "create", action: .createAsset(creation))
        }
        return CommitRequest(changes: ChangeSet(operations: operations))
    }

    private func code(_ body: () throws -> Void) -> LibraryError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? LibraryError)?.code
        }
    }

    @Test("A program cannot see an asset by creating one with its identifier")
    func foreign() throws {
        let (seen, unseen, former) = (
            try world.library.addPhoto(1), try world.library.addPhoto(2),
            try world.library.addPhoto(3)
        )
        let owner = try engine.session()
        defer { owner.close() }
        for action in [ChangeAction.deleteAssets([former]), .purgeAssets([former])] {
            let operations = [ChangeOperation(request: "r", action: action)]
            _ = try owner.commit(CommitRequest(changes: ChangeSet(operations: operations)))
        }
        let album = CollectionCreation(uuid: UUID().uuidString, kind: .album, title: "A")
        let operations = [ChangeOperation(request: "r", action: .createCollection(album))]
        _ = try owner.commit(CommitRequest(changes: ChangeSet(operations: operations)))
        let client = try client(seeing: [seen])
        defer { client.close() }
        let writes = try Writes(world.access)
        for (index, uuid) in [unseen, former, album.uuid, seen].enumerated() {
            let seed = UInt64(index) * 2
            let request = Self.creation([
                UUID().uuidString: try stage(seed, client), uuid: try stage(seed + 1, client),
            ])
            #expect(code { _ = try client.commit(request) } == .invalidRequest)
            // Not even for a moment, after which the program might be killed.
            #expect(!writes.isAny)
            #expect(try selection == [seen])
        }
        #expect(try ClientWorld.visible(to: client) == [seen])
    }

    @Test("A failed creation leaves the selection as it was")
    func failed() throws {
        let seen = try world.library.addPhoto(1)
        // What a program that was killed between the two steps leaves behind.
        let absent = UUID().uuidString
        let client = try client(seeing: [seen, absent])
        defer { client.close() }
        for uuid in [absent, UUID().uuidString] {
            let request = Self.creation([uuid: FileToken(1)])
            #expect(code { _ = try client.commit(request) } == .tokenUnknown)
            #expect(try selection == [seen, absent])
        }
        _ = try client.commit(Self.creation([absent: try stage(1, client)]))
        #expect(try ClientWorld.visible(to: client) == [seen, absent])
    }

    @Test("A creation that is requested again is answered")
    func repeated() throws {
        let client = try client(seeing: [])
        defer { client.close() }
        let context = CallContext(change: UUID())
        let uuid = UUID().uuidString
        let tokens = [try stage(1, client), try stage(1, client)]
        let replies = try tokens.map { token in
            let request = Self.creation([uuid: token])
            return try context.perform { () throws(LibraryError) in try client.commit(request) }
        }
        #expect(replies[0] == replies[1] && replies[0].isChange)
        #expect(try selection == [uuid])
        #expect(try ClientWorld.visible(to: client) == [uuid])
        // The file of the second request is gone.
        let another = Self.creation([UUID().uuidString: tokens[1]])
        #expect(code { _ = try client.commit(another) } == .tokenUnknown)
        // Without the identifier of the change, the request is another one.
        let again = Self.creation([uuid: try stage(2, client)])
        #expect(code { _ = try client.commit(again) } == .invalidRequest)
        #expect(try selection == [uuid])
    }
}
