import LibraryService
import PhotoModel
import Testing

@testable import ImportSources

/// The album of a watch folder is created or found once, and used from then on.
@Suite(.timeLimit(.minutes(1))) struct WatchAlbumTests {
    private static func asset(_ digit: Character) -> (uuid: String, identifier: String) {
        let uuid = String(repeating: digit, count: 8) + "-0000-0000-0000-000000000000"
        return (uuid, "\(uuid)/L0/001")
    }

    /// Adds two batches, as two imports do.
    private func addTwice(to library: ImportingLibrary) throws -> WatchFolder {
        var folder = WatchFolder(path: "/in", album: "Camera", isMountPoint: false)
        for digit: Character in ["A", "B"] {
            try WatchAlbum(service: library).add([Self.asset(digit).identifier], of: &folder)
        }
        return folder
    }

    private func additions(to library: ImportingLibrary) -> [String: [ListEdit]] {
        var found: [String: [ListEdit]] = [:]
        for case .editMembers(let album, let edit) in library.changes {
            found[album, default: []].append(edit)
        }
        return found
    }

    private var expected: [ListEdit] {
        ["A", "B"].map { ListEdit(steps: [.add([Self.asset($0).uuid])]) }
    }

    @Test func aNewAlbumIsCreatedOnce() throws {
        let library = ImportingLibrary()
        let folder = try addTwice(to: library)
        var created: [String] = []
        for case .createCollection(let creation) in library.changes {
            #expect(creation.title == "Camera" && creation.kind == .album)
            created.append(creation.uuid)
        }
        #expect(created.count == 1)
        let album = try #require(folder.albumIdentifier)
        #expect(created == [album])
        #expect(additions(to: library) == [album: expected])
    }

    @Test func anAlbumWithTheTitleIsReused() throws {
        let uuid = "CCCCCCCC-0000-0000-0000-000000000000"
        let library = ImportingLibrary(albums: ["Camera": uuid])
        #expect(try addTwice(to: library).albumIdentifier == uuid)
        #expect(additions(to: library) == [uuid: expected])
    }

    @Test func withoutTitleOrAssetsNothingChanges() throws {
        let library = ImportingLibrary()
        var folder = WatchFolder(path: "/in", album: nil, isMountPoint: false)
        try WatchAlbum(service: library).add([Self.asset("A").identifier], of: &folder)
        folder.album = "Camera"
        try WatchAlbum(service: library).add([], of: &folder)
        folder.isAlbumDeleted = true
        try WatchAlbum(service: library).add([Self.asset("A").identifier], of: &folder)
        #expect(library.changes.isEmpty && folder.albumIdentifier == nil)
    }
}
