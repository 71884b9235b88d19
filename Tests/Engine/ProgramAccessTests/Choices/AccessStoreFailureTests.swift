import Foundation
import LibraryService
import PhotoModel
import ProgramAccess
import TestSupport
import Testing

/// Choices that cannot be read or stored.
@Suite(.timeLimit(.minutes(1))) struct AccessStoreFailureTests {
    private let folder: TemporaryFolder
    private let store: AccessStore

    init() throws {
        let fixture = try AccessFixture()
        (folder, store) = (fixture.folder, fixture.store)
    }

    private func failure() -> LibraryError? {
        #expect(throws: LibraryError.self) {
            try store.change("a") { $0.set(.authorized, for: .readWrite) }
        }
    }

    @Test func aFileInPlaceOfTheFolderIsSaid() throws {
        try folder.write(Data(), to: "access")
        #expect(failure()?.message.contains("Could not create the folder") == true)
        #expect(try store.choices() == [:])
    }

    @Test func aFolderInPlaceOfTheChoicesIsSaid() throws {
        _ = try folder.folder("access/choices.json")
        let error = #expect(throws: LibraryError.self) { try store.choices() }
        #expect(error?.code == .corrupt)
        #expect(failure()?.code == .corrupt)
    }

    /// The choices stay as they were.
    @Test func whatCannotBeLockedOrWrittenChangesNothing() throws {
        try store.change("a") { $0.set(.denied, for: .readWrite) }
        _ = try folder.folder("access/choices.json.new")
        #expect(failure()?.message.contains("Could not write") == true)
        #expect(try store.choice(of: "a").readWrite == .denied)
        try FileManager.default.removeItem(at: folder.file("access/lock"))
        _ = try folder.folder("access/lock")
        #expect(failure()?.message.contains("Could not open") == true)
        #expect(try store.choice(of: "a").readWrite == .denied)
    }

    /// Nothing is written unless something changes, so that no observer wakes.
    @Test func theSameChoiceIsNotWrittenAgain() throws {
        try store.change("a") { $0.set(.denied, for: .readWrite) }
        let file = folder.file("access/choices.json")
        func number() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
        }
        let before = try number()
        #expect(try store.change("a") { $0.readWrite } == .denied)
        #expect(try number() == before)
        try store.change("a") { $0.set(.authorized, for: .addOnly) }
        #expect(try number() != before)
    }
}
