import Foundation
import GRDB
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The state after a disk call fails, or the process dies, at each step of another edit of an
/// edited asset.
@Suite(.timeLimit(.minutes(5))) struct EditFailureTests {
    private typealias Trip = ImportFailureTests.Trip

    private static let steps: [FileOperations.Step] = [
        .createFile, .write, .syncFile, .recordIntentions, .createFolder, .rename, .syncFolder,
    ]

    /// Returns how often an edit reaches a step at least, with a rendered file and its adjustments.
    private static func calls(of step: FileOperations.Step) -> Int {
        switch step {
        case .recordIntentions, .createFolder: 1
        // Includes the intentions.
        case .syncFile, .write: 3
        default: 2
        }
    }

    /// The visible state of an asset and its files.
    struct State: Equatable {
        var record: AssetRecord?
        var resources: [ResourceRecord]
        var originals: [String: String]
        var edits: [String: String]

        init(_ world: ChangeWorld, _ uuid: String) throws {
            record = try world.asset(uuid)
            resources = try world.resources(uuid)
            originals = try Self.digests(below: "originals", of: world.store)
            edits = try Self.digests(below: "edits", of: world.store)
        }

        /// Returns the SHA-256 of each file below a folder of the library.
        private static func digests(below folder: String, of store: LibraryStore) throws
            -> [String: String]
        {
            let root = store.bundle.absolutePath(of: folder)
            let names = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
            var digests: [String: String] = [:]
            for name in names where name.contains(".") {
                let data = try Data(contentsOf: URL(fileURLWithPath: root + "/" + name))
                let hasher = SHA256Hasher()
                data.withUnsafeBytes { hasher.update($0) }
                digests[name] = hasher.finish()?.hexadecimal
            }
            return digests
        }
    }

    /// Creates an asset with one edit.
    static func edited(in world: ChangeWorld) throws -> String {
        let creation = ChangeWorld.creation(.photo, names: ["IMG_1.JPG"])
        try world.commit(
            .createAsset(creation),
            files: [try world.file(MediaFacts.still(salt: "original"))]
        )
        try edit(creation.uuid, in: world, "first")
        return creation.uuid
    }

    /// Edits an asset and makes it a favorite, in one change.
    static func edit(_ uuid: String, in world: ChangeWorld, _ salt: String) throws {
        var favorite = AssetEdit()
        favorite.isFavorite = salt != "first"
        let adjustments = ContentAdjustments(
            formatIdentifier: "test.editor",
            formatVersion: "1",
            data: Data(salt.utf8)
        )
        let rendering = ResourceCreation(
            type: .fullSizePhoto,
            file: FileToken(0),
            originalFilename: "FullSizeRender.jpg",
            contentType: "public.jpeg",
            path: "/editor/FullSizeRender.jpg"
        )
        try world.commit(
            .editAsset(uuid: uuid, favorite),
            .editContent(
                uuid: uuid,
                ContentEdit(adjustments: adjustments, renderings: [rendering])
            ),
            files: [try world.file(MediaFacts.still(salt: salt))]
        )
    }

    /// Fails the nth call of a step, each time that it is armed.
    private final class Fault: Sendable {
        private let armed = Mutex<(step: FileOperations.Step, countdown: Int, number: Int32)?>(nil)

        func arm(_ step: FileOperations.Step, after countdown: Int, _ number: Int32) {
            armed.withLock { $0 = (step, countdown, number) }
        }

        var files: FileOperations {
            FileOperations { step in
                self.armed.withLock { armed in
                    guard let due = armed, due.step == step else { return 0 }
                    armed = due.countdown == 0 ? nil : (step, due.countdown - 1, due.number)
                    return due.countdown == 0 ? due.number : 0
                }
            }
        }
    }

    @Test("A failure at any step of saving an edit changes nothing and says why", arguments: steps)
    func changesNothing(step: FileOperations.Step) throws {
        let fault = Fault()
        let world = try ChangeWorld(files: fault.files)
        let uuid = try Self.edited(in: world)
        let version = try world.version()
        let before = try State(world, uuid)
        #expect(before.edits.count == 2)
        for number in [EIO, ENOSPC] {
            for countdown in 0..<Self.calls(of: step) {
                fault.arm(step, after: countdown, number)
                let error = try #require(throws: LibraryError.self) {
                    try Self.edit(uuid, in: world, "second")
                }
                let context = Comment(rawValue: "\(step) \(countdown): \(error)")
                #expect(error.code == (number == ENOSPC ? .noSpace : .inputOutput), context)
                #expect(!error.message.isEmpty, context)
                #expect(error.reason?.isEmpty == false, context)
                #expect(error.recovery?.isEmpty == false, context)
                #expect(try world.version() == version, context)
                #expect(try State(world, uuid) == before, context)
                #expect(try Self.leftParts(in: world.store) == [], context)
            }
        }
        #expect(try world.findings() == [])
        // The same committer continues when the disk works again.
        try Self.edit(uuid, in: world, "second")
        let after = try State(world, uuid)
        #expect(after.record?.isFavorite == true)
        #expect(after.originals == before.originals)
        // The first edit's files are retained.
        #expect(after.edits.count == 4)
        #expect(before.edits.allSatisfy { after.edits[$0.key] == $0.value })
        #expect(try world.findings() == [])
    }

    private static func leftParts(in store: LibraryStore) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store.bundle.staging)
            .filter { $0.hasSuffix(".part") }
    }

    @Test("An edit whose commit fails leaves the earlier one, and its files go with its session")
    func commitFails() throws {
        let world = try ChangeWorld()
        let uuid = try Self.edited(in: world)
        let before = try State(world, uuid)
        try world.store.write(author: "tests") { transaction in
            try transaction.database.execute(
                sql: """
                    CREATE TABLE broken (asset INTEGER REFERENCES asset(id)
                        DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER breaks AFTER INSERT ON resource BEGIN
                        INSERT INTO broken VALUES (-1);
                    END
                    """
            )
        }
        #expect(throws: LibraryError.self) { try Self.edit(uuid, in: world, "second") }
        let after = try State(world, uuid)
        #expect(after.record == before.record)
        #expect(after.resources == before.resources)
        // They are kept until it is certain that their rows are gone.
        #expect(after.edits.count == 4)
        try world.store.write(author: "tests") { transaction in
            try transaction.database.execute(sql: "DROP TRIGGER breaks; DROP TABLE broken")
        }
        try Self.edit(uuid, in: world, "third")
        #expect(try world.asset(uuid)?.isFavorite == true)
        #expect(try State(world, uuid).originals == before.originals)
    }

    @Test(
        "Dying at a step of saving an edit leaves the earlier one whole",
        arguments: [.write, .recordIntentions, .rename, .syncFolder] as [FileOperations.Step]
    )
    func survivesDeath(step: FileOperations.Step) async throws {
        let folder = try TemporaryFolder("photos-edit-death")
        let library = folder.file("Test.photolibrary").path
        try LibraryStore.create(at: library)
        let uuid = try Self.edited(in: ChangeWorld(existingLibrary: library))
        let before = try State(ChangeWorld(existingLibrary: library), uuid)
        let name = step.rawValue
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [library = library as String, name = name as String, uuid = uuid as String] in
            let step = try #require(FileOperations.Step(rawValue: name))
            // At the last call of this step.
            let trip = Trip(step, after: Self.calls(of: step) - 1) {
                kill(getpid(), SIGKILL)
                return 0
            }
            let world = try ChangeWorld(files: trip.files, existingLibrary: library)
            // The session already exists.
            try world.commit(
                .createAsset(ChangeWorld.creation(.photo)),
                files: [try world.file(MediaFacts.still(salt: "other"))]
            )
            trip.arm()
            try Self.edit(uuid, in: world, "second")
        }
        let world = try ChangeWorld(existingLibrary: library)
        // The next writer removes the remains.
        try world.store.write(author: "tests") { _ in }
        let after = try State(world, uuid)
        #expect(after.record == before.record)
        #expect(after.resources == before.resources)
        #expect(after.edits == before.edits)
        #expect(before.originals.allSatisfy { after.originals[$0.key] == $0.value })
        #expect(try Self.leftParts(in: world.store) == [])
        #expect(try world.findings() == [])
        try Self.edit(uuid, in: world, "second")
        #expect(try world.findings() == [])
    }
}
