import Foundation
import Glibc
import LibraryService
import PhotoLibrary
import PhotoModel
import RenditionFixture
import ProgramAccess
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

@testable import EmbeddedLibrary

/// The files that sessions stage for their changes, in process and over a loopback.
@Suite(.timeLimit(.minutes(2))) struct FileTokenTests {
    enum Road: CaseIterable { case embedded, loopback }

    private let world: ClientWorld
    private let engine: LibraryEngine

    init() throws {
        world = try ClientWorld()
        engine = try world.engine()
    }

    private func session(_ road: Road) throws -> any LibraryService {
        let session = try engine.session()
        return road == .loopback ? LoopbackLibrary(session) : session
    }

    private func photo(_ seed: UInt64) throws -> URL {
        let size = PixelSize(width: 64, height: 48)
        let data = try SampleFile.jpeg(SamplePhoto(Picture(.hills, seed: seed), size: size))
        return try world.library.folder.write(data, to: "source/\(seed).jpg")
    }

    private static func open(_ url: URL) throws -> Descriptor {
        let number = Glibc.open(url.path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last("open", path: url.path) }
        return Descriptor(owning: number)
    }

    private func stage(_ seed: UInt64, _ session: any LibraryService) throws -> FileToken {
        try session.stage(StageRequest(type: .photo), file: Self.open(photo(seed))).token
    }

    @discardableResult
    private static func create(
        _ tokens: FileToken...,
        in session: any LibraryService
    ) throws -> [String] {
        let uuids = tokens.map { _ in UUID().uuidString }
        let operations = zip(uuids, tokens).map { uuid, token in
            let resource = ResourceCreation(type: .photo, file: token)
            let creation = AssetCreation(uuid: uuid, resources: [resource])
            return ChangeOperation(request: "create", action: .createAsset(creation))
        }
        _ = try session.commit(CommitRequest(changes: ChangeSet(operations: operations)))
        return uuids
    }

    private func isUnknown(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return (error as? LibraryError)?.code == .tokenUnknown
        }
    }

    /// The staged files of all sessions.
    private var parts: [String] {
        world.stagingFolders.flatMap { name -> [String] in
            let folder = world.library.store.bundle.staging + "/" + name
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(".part") }.map { folder + "/" + $0 }
        }
    }

    private static func inode(_ path: String) -> UInt64 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    // MARK: - Tokens

    @Test(arguments: Road.allCases) func tokenIsValidOnceInItsSession(_ road: Road) throws {
        let (first, second) = (try session(road), try session(road))
        let token = try stage(1, first)
        #expect(isUnknown { try Self.create(token, in: second) })
        try second.releaseTokens(ReleaseTokensRequest(tokens: [token]))
        try Self.create(try stage(2, second), in: second)
        try Self.create(token, in: first)
        #expect(isUnknown { try Self.create(token, in: first) })
        let released = try stage(3, first)
        try first.releaseTokens(ReleaseTokensRequest(tokens: [released, token]))
        #expect(isUnknown { try Self.create(released, in: first) })
        // A known one beside an unknown one, and one for two assets.
        let known = try stage(4, first)
        #expect(isUnknown { try Self.create(known, token, in: first) })
        let shared = try stage(5, first)
        #expect(isUnknown { try Self.create(shared, shared, in: first) })
        #expect(parts.isEmpty)
        #expect(try ClientWorld.visible(to: first).count == 2)
        first.close()
        second.close()
    }

    @Test(arguments: Road.allCases) func failedCommitEndsItsTokens(_ road: Road) throws {
        let session = try session(road)
        defer { session.close() }
        let token = try stage(1, session)
        let resource = ResourceCreation(type: .photo, file: token)
        let creation = AssetCreation(uuid: UUID().uuidString, resources: [resource])
        let changes = ChangeSet(operations: [
            ChangeOperation(request: "create", action: .createAsset(creation)),
            ChangeOperation(request: "retitle", action: .retitleCollection(uuid: "x", title: "y")),
        ])
        let error = #expect(throws: LibraryError.self) {
            try session.commit(CommitRequest(changes: changes))
        }
        #expect(error?.code == .identifierNotFound)
        #expect(parts.isEmpty)
        #expect(isUnknown { try Self.create(token, in: session) })
        // Of several files, one of which cannot be staged, none stays.
        let text = try world.library.folder.write(Data(), to: "source/empty.jpg")
        let files = try [photo(2), text].map(Self.open)
        let operations = files.indices.map { index in
            let resource = ResourceCreation(type: .photo, file: FileToken(Int64(index)))
            let creation = AssetCreation(uuid: UUID().uuidString, resources: [resource])
            return ChangeOperation(request: "create", action: .createAsset(creation))
        }
        let failure = #expect(throws: LibraryError.self) {
            try session.commit(ChangeSet(operations: operations), files: files)
        }
        #expect(failure?.code == .invalidResource)
        #expect(failure?.message.hasPrefix("Change request 2 of 2 (create): ") == true)
        #expect(parts.isEmpty)
    }

    @Test(arguments: Road.allCases) func tokensEndWithTheirSession(_ road: Road) throws {
        let (first, second) = (try session(road), try session(road))
        for seed in 1...3 { _ = try stage(UInt64(seed), first) }
        let kept = try stage(4, second)
        #expect(parts.count == 4)
        first.close()
        #expect(parts.count == 1)
        try Self.create(kept, in: second)
        #expect(parts.isEmpty)
        _ = try stage(5, second)
        second.close()
        #expect(parts.isEmpty)
    }

    @Test func programWithoutPermissionStagesNothing() throws {
        let choices: [(AccessChoice, Bool)] = [
            (AccessChoice(readWrite: .denied, addOnly: .denied), false),
            (AccessChoice(readWrite: .denied, addOnly: .authorized), true),
            (AccessChoice(readWrite: .limited), true),
        ]
        for (number, (choice, mayStage)) in choices.enumerated() {
            let program = try world.program("program-\(number)", choice)
            let client = ClientIdentity(program: program, desk: QuestionDesk { nil })
            let session = try engine.session(for: client)
            let result = Result { try stage(1, session) }
            #expect(((try? result.get()) != nil) == mayStage, "\(choice)")
            session.close()
        }
        #expect(parts.isEmpty)
    }

    // MARK: - Files

    @Test func stagedFileIsRenamedIntoTheLibrary() throws {
        let session = try session(.embedded)
        defer { session.close() }
        let source = try photo(1)
        let digest = try session.fileDigests(of: [Self.open(source)]).digests[0]
        let token = try session.stage(StageRequest(type: .photo), file: Self.open(source)).token
        let part = try #require(parts.first)
        let number = Self.inode(part)
        // Its content is that of the time when it was staged.
        try Data("other".utf8).write(to: source)
        let uuid = try #require(try Self.create(token, in: session).first)
        let list = ResourceListRequest(assetUUID: uuid)
        let resource = try #require(try session.listResources(list).resources.first)
        #expect(resource.sha256 == digest)
        #expect(number != 0 && Self.inode(world.path + "/" + resource.path) == number)
    }

    @Test func waitingFilesAreClosed() throws {
        let session = try session(.embedded)
        defer { session.close() }
        let tokens = try (1...20).map { try stage($0, session) }
        let folder = "/proc/self/fd/"
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
        }
        #expect(parts.count == tokens.count)
        #expect(targets.filter { $0.hasSuffix(".part") }.isEmpty)
    }
}
