import Foundation
import LibraryService
import PhotoModel
import ProgramAccess
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct AccessStoreTests {
    private let folder: TemporaryFolder
    private let store: AccessStore

    init() throws {
        let fixture = try AccessFixture()
        (folder, store) = (fixture.folder, fixture.store)
    }

    /// Another process's view of the same choices.
    private var other: AccessStore {
        AccessStore(folder: store.folder, restrictionsFile: store.restrictionsFile)
    }

    @Test func nothingIsChosenToBeginWith() throws {
        #expect(try store.choices().isEmpty)
        #expect(try store.choice(of: "a") == AccessChoice())
        #expect(!FileManager.default.fileExists(atPath: store.folder))
    }

    @Test func choicesAreKept() throws {
        #expect(try other.choices().isEmpty)
        try store.change("a") { choice in
            choice.set(.limited, for: .readWrite)
            choice.selections["L"] = ["1", "2"]
        }
        #expect(try other.choice(of: "a").selections == ["L": ["1", "2"]])
        // Read access includes adding; behavior 1: otherwise the levels are separate.
        #expect(try other.choice(of: "a").status(for: .addOnly) == .authorized)
        try other.change("a") { $0.set(.denied, for: .readWrite) }
        #expect(try store.choice(of: "a").selections.isEmpty)
        #expect(try store.choice(of: "a").status(for: .addOnly) == .notDetermined)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
        #expect(names == ["choices.json", "lock"])
    }

    @Test func onlyTheOwnerReadsThem() throws {
        try store.change("a") { $0.set(.authorized, for: .readWrite) }
        for path in [store.folder, store.folder + "/choices.json"] {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let mode = try #require(facts[.posixPermissions] as? NSNumber)
            #expect(mode.intValue & 0o077 == 0)
        }
    }

    /// A file with missing values is valid.
    @Test func missingValuesAreNotDetermined() throws {
        let text = #"{"version":1,"programs":{"a":{"readWrite":"authorized"}}}"#
        try folder.write(Data(text.utf8), to: "access/choices.json")
        #expect(try store.choice(of: "a").readWrite == .authorized)
        #expect(try store.choice(of: "a").addOnly == .notDetermined)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"version":2,"programs":{}}"#,
        #"{"version":1,"programs":{"a":{"readWrite":"maybe"}}}"#,
    ])
    func whatIsNotUnderstoodIsNotOverwritten(_ text: String) throws {
        let file = try folder.write(Data(text.utf8), to: "access/choices.json")
        let read = #expect(throws: LibraryError.self) { try store.choices() }
        #expect(read?.path == file.path)
        #expect(throws: LibraryError.self) {
            try store.change("a") { $0.set(.authorized, for: .readWrite) }
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        let program = ClientProgram(ProgramIdentity(identifier: "a"), store: store)
        #expect(program.status(for: .readWrite) == .notDetermined)
        #expect(program.grant(for: "L").access == .none)
        #expect(!program.grant(for: "L").mayCreate)
    }

    @Test func policiesAreStronger() throws {
        try store.change("a") { $0.set(.authorized, for: .readWrite) }
        try folder.write(Data("# policy\n\n  a  \n".utf8), to: "restricted")
        #expect(try store.choice(of: "a").readWrite == .restricted)
        #expect(try store.choice(of: "b").readWrite == .notDetermined)
        try folder.write(Data("*\n".utf8), to: "restricted")
        #expect(try store.choice(of: "b").status(for: .addOnly) == .restricted)
        try FileManager.default.removeItem(at: folder.file("restricted"))
        #expect(try store.choice(of: "a").readWrite == .authorized)
    }
}
