import Foundation
import GRDB
import LibraryService
import PhotoLibrary
import PhotoModel
import Synchronization
import Testing
import TestSupport
import WorkerProtocol

/// The state after a disk call fails, or the process dies, at each step of an import.
@Suite(.timeLimit(.minutes(5))) struct ImportFailureTests {
    /// Fails the nth call of a step, once armed.
    final class Trip: Sendable {
        private let state: Mutex<(step: FileOperations.Step, countdown: Int, isArmed: Bool)>
        private let action: @Sendable () -> Int32

        init(
            _ step: FileOperations.Step,
            after countdown: Int,
            _ action: @escaping @Sendable () -> Int32
        ) {
            state = Mutex((step, countdown, false))
            self.action = action
        }

        func arm() { state.withLock { $0.isArmed = true } }

        var files: FileOperations {
            FileOperations { step in
                let isDue = self.state.withLock { state in
                    guard state.isArmed, step == state.step else { return false }
                    state.countdown -= 1
                    return state.countdown == -1
                }
                return isDue ? self.action() : 0
            }
        }
    }

    private static let steps: [FileOperations.Step] = [
        .createFile, .write, .syncFile, .recordIntentions, .createFolder, .rename, .syncFolder,
    ]

    /// Returns how often a batch of three files reaches a step at least.
    private static func calls(of step: FileOperations.Step) -> Int {
        switch step {
        case .recordIntentions, .createFolder: 1
        case .syncFolder: 2
        default: 3
        }
    }

    @Test(
        "A failure at any step leaves nothing of its batch and all of the ones before",
        arguments: steps,
        [EIO, ENOSPC]
    )
    func undoesBatch(step: FileOperations.Step, number: Int32) throws {
        for countdown in 0..<Self.calls(of: step) {
            let trip = Trip(step, after: countdown) { number }
            let world = try ImportWorld(files: trip.files)
            for name in 0..<4 { try world.write("\(name).jpg", .still(salt: "\(name)")) }
            #expect(try world.importFiles("0.jpg").map(\.kind) == [.imported])
            trip.arm()
            let error = try #require(throws: LibraryError.self) {
                try world.importFiles("1.jpg", "2.jpg", "3.jpg")
            }
            #expect(error.code == (number == ENOSPC ? .noSpace : .inputOutput))
            #expect(error.reason != nil)
            #expect(error.recovery != nil)
            #expect(try world.assets().map(\.originalFilename) == ["0.jpg"])
            #expect(try world.inconsistencies() == [], "\(step) \(countdown)")
            // The same session continues when the disk works again.
            let again = try world.importFiles("1.jpg", "2.jpg", "3.jpg")
            #expect(again.map(\.kind) == [.imported, .imported, .imported])
            #expect(try world.inconsistencies() == [])
            try world.importer.endImport(ImportEndRequest(session: world.session))
            #expect(try world.stagingFolders() == [])
        }
    }

    @Test("A placed file that cannot be put away is cleared by the next session's recovery")
    func keepsIntentions() throws {
        let isBroken = Mutex(false)
        let files = FileOperations { step in
            guard isBroken.withLock(\.self) else { return 0 }
            return step == .syncFolder || step == .remove ? EIO : 0
        }
        var world: ImportWorld? = try ImportWorld(files: files)
        let folder = try #require(world?.folder)
        let path = try #require(world?.libraryPath)
        try world?.write("a.jpg", .still())
        isBroken.withLock { $0 = true }
        #expect(throws: LibraryError.self) { try world?.importFiles("a.jpg") }
        #expect(try world?.inconsistencies().count == 1)
        isBroken.withLock { $0 = false }
        world = nil
        let store = try LibraryStore.open(at: path)
        try store.write(author: "tests") { _ in }
        #expect(try ImportWorld.inconsistencies(of: store) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.bundle.staging) == [])
        withExtendedLifetime(folder) {}
    }

    @Test("A name whose removal could not be made durable stays in the intentions")
    func keepsIntentionsOfUnsyncedRemovals() throws {
        let isBroken = Mutex(false)
        let files = FileOperations { step in
            step == .syncFolder && isBroken.withLock(\.self) ? EIO : 0
        }
        let world = try ImportWorld(files: files)
        try world.write("a.jpg", .still())
        isBroken.withLock { $0 = true }
        #expect(throws: LibraryError.self) { try world.importFiles("a.jpg") }
        isBroken.withLock { $0 = false }
        #expect(try world.inconsistencies() == [])
        try world.importer.endImport(ImportEndRequest(session: world.session))
        #expect(try world.stagingFolders().count == 1)
        #expect(try world.store.clearStaging().sessions == 1)
        #expect(try world.stagingFolders() == [])
    }

    @Test("Files of a commit that failed stay until it is settled that their rows are gone")
    func keepsFilesOfUncertainCommit() throws {
        let world = try ImportWorld()
        try world.write("a.jpg", .still(salt: "a"))
        try world.write("b.jpg", .still(salt: "b"))
        try world.failCommits()
        #expect(throws: LibraryError.self) { try world.importFiles("a.jpg") }
        let placed = try ImportWorld.originals(of: world.store)
        #expect(placed.count == 1)
        try world.store.write(author: "tests") { transaction in
            try transaction.database.execute(sql: "DROP TRIGGER breaks")
        }
        // The session continues, and still tracks them.
        #expect(try world.importFiles("b.jpg").map(\.kind) == [.imported])
        #expect(try ImportWorld.originals(of: world.store).count == 2)
        try world.importer.endImport(ImportEndRequest(session: world.session))
        let summary = try world.store.clearStaging()
        #expect(summary.removedFiles == placed)
        #expect(try world.inconsistencies() == [])
        #expect(try world.stagingFolders() == [])
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
            let world = try ImportWorld(files: trip.files, existingLibrary: library)
            for number in 0..<4 { try world.write("\(number).jpg", .still(salt: "\(number)")) }
            _ = try world.importFiles("0.jpg")
            trip.arm()
            _ = try world.importFiles("1.jpg", "2.jpg", "3.jpg")
        }
        let store = try LibraryStore.open(at: library)
        try store.write(author: "tests") { _ in }
        #expect(try ImportWorld.inconsistencies(of: store) == [], "\(step) \(countdown)")
        let left = try FileManager.default.contentsOfDirectory(atPath: store.bundle.staging)
        #expect(left == [], "\(step) \(countdown)")
        let count = try ImportWorld.originals(of: store).count
        #expect(count == 1, "\(step) \(countdown)")
    }
}
