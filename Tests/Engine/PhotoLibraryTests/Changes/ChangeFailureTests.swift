import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The state after a disk call fails, or the process dies, at each step of a change with two new
/// assets and an album.
@Suite(.timeLimit(.minutes(5))) struct ChangeFailureTests {
    private typealias Trip = ImportFailureTests.Trip

    private static let steps: [FileOperations.Step] = [
        .createFile, .write, .syncFile, .recordIntentions, .createFolder, .rename, .syncFolder,
    ]

    /// Returns how often a change of two files reaches a step, once a session exists.
    private static func calls(of step: FileOperations.Step) -> Int {
        switch step {
        case .recordIntentions: 1
        // Both files may go to the same folder.
        case .createFolder: 1
        case .syncFolder: 2
        // Includes the intentions.
        case .syncFile, .write: 3
        default: 2
        }
    }

    /// A change that adds two assets and an album with them, in addition to an existing asset.
    private struct Change {
        let uuids = (0..<2).map { _ in UUID().uuidString }
        let album = UUID().uuidString

        func actions(favorite: String) -> [ChangeAction] {
            var edit = AssetEdit()
            edit.isFavorite = true
            return [
                .editAsset(uuid: favorite, edit),
                .createAsset(creation(0)),
                .createCollection(CollectionCreation(uuid: album, kind: .album, title: "A")),
                .createAsset(creation(1)),
                .editMembers(album: album, ListEdit(steps: [.add(uuids + [favorite])])),
            ]
        }

        private func creation(_ index: Int) -> AssetCreation {
            AssetCreation(
                uuid: uuids[index],
                resources: [ResourceCreation(type: .photo, file: FileToken(Int64(index)))]
            )
        }
    }

    private static func files(in world: ChangeWorld, _ salt: String) throws -> [Descriptor] {
        try (0..<2).map { try world.file(MediaFacts.still(salt: "\(salt) \($0)")) }
    }

    private static func favorite(in world: ChangeWorld) throws -> String {
        let creation = ChangeWorld.creation(.photo)
        try world.commit(
            .createAsset(creation),
            files: [try world.file(MediaFacts.still(salt: "first"))]
        )
        return creation.uuid
    }

    @Test(
        "A failure at any step leaves nothing of its change and all of the ones before",
        arguments: steps,
        [EIO, ENOSPC]
    )
    func undoesChange(step: FileOperations.Step, number: Int32) throws {
        for countdown in 0..<Self.calls(of: step) {
            let trip = Trip(step, after: countdown) { number }
            let world = try ChangeWorld(files: trip.files)
            let favorite = try Self.favorite(in: world)
            let version = try world.version()
            let change = Change()
            trip.arm()
            let error = try #require(throws: LibraryError.self) {
                try world.commit(
                    change.actions(favorite: favorite),
                    files: Self.files(in: world, "a")
                )
            }
            let context = Comment(rawValue: "\(step) \(countdown): \(error)")
            #expect(error.code == (number == ENOSPC ? .noSpace : .inputOutput), context)
            #expect(error.reason?.isEmpty == false, context)
            #expect(error.recovery?.isEmpty == false, context)
            #expect(try world.version() == version, context)
            #expect(try world.asset(favorite)?.isFavorite == false, context)
            #expect(try ImportWorld.originals(of: world.store).count == 1, context)
            #expect(try world.findings() == [], context)
            // The same committer continues when the disk works again.
            try world.commit(
                change.actions(favorite: favorite),
                files: Self.files(in: world, "a")
            )
            #expect(try world.members(change.album) == change.uuids + [favorite])
            #expect(try world.findings() == [], context)
        }
    }

    @Test("Files of a commit that failed stay until it is settled that their rows are gone")
    func keepsFilesOfUncertainCommit() throws {
        let world = try ChangeWorld()
        let favorite = try Self.favorite(in: world)
        // Every COMMIT that adds an asset fails, after its statements succeeded.
        try world.store.write(author: "tests") { transaction in
            try transaction.database.execute(
                sql: """
                    CREATE TABLE broken (asset INTEGER REFERENCES asset(id)
                        DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER breaks AFTER INSERT ON asset BEGIN
                        INSERT INTO broken VALUES (-1);
                    END
                    """
            )
        }
        let change = Change()
        #expect(throws: LibraryError.self) {
            try world.commit(
                change.actions(favorite: favorite),
                files: Self.files(in: world, "a")
            )
        }
        #expect(try ImportWorld.originals(of: world.store).count == 3)
        #expect(try world.asset(favorite)?.isFavorite == false)
        try world.store.write(author: "tests") { transaction in
            try transaction.database.execute(sql: "DROP TRIGGER breaks; DROP TABLE broken")
        }
        // The committer continues, and its session still tracks the files.
        try world.commit(
            change.actions(favorite: favorite),
            files: Self.files(in: world, "b")
        )
        #expect(try world.members(change.album).count == 3)
    }

    @Test("Dying at any step loses nothing that was acknowledged and leaves nothing half-made")
    func survivesDeath() async throws {
        for step in Self.steps {
            for countdown in Set([0, Self.calls(of: step) - 1]) {
                try await die(at: step, after: countdown)
            }
        }
    }

    private func die(at step: FileOperations.Step, after countdown: Int) async throws {
        let folder = try TemporaryFolder("photos-death")
        let library = folder.file("Test.photolibrary").path
        try LibraryStore.create(at: library)
        let name = step.rawValue
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [library = library as String, name = name as String, countdown = countdown as Int] in
            let step = try #require(FileOperations.Step(rawValue: name))
            let trip = Trip(step, after: countdown) {
                kill(getpid(), SIGKILL)
                return 0
            }
            let world = try ChangeWorld(files: trip.files, existingLibrary: library)
            let favorite = try Self.favorite(in: world)
            trip.arm()
            try world.commit(
                Change().actions(favorite: favorite),
                files: Self.files(in: world, "a")
            )
        }
        let world = try ChangeWorld(existingLibrary: library)
        // The next writer removes the remains.
        try world.store.write(author: "tests") { _ in }
        #expect(try world.version() == 1, "\(step) \(countdown)")
        #expect(try world.findings() == [], "\(step) \(countdown)")
        #expect(try ImportWorld.originals(of: world.store).count == 1, "\(step) \(countdown)")
    }
}
