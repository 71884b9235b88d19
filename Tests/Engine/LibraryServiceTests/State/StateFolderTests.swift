import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StateFolderTests {
    private let folder: TemporaryFolder
    private let state: StateFolder

    init() throws {
        folder = try TemporaryFolder("photos-state")
        state = StateFolder(folder.file("a/state").path)
    }

    /// The folders follow the XDG Base Directory Specification, which ignores relative paths.
    @Test func theStandardFolderIsThatOfTheEnvironment() async {
        await #expect(processExitsWith: .success) {
            setenv("XDG_STATE_HOME", "/somewhere/state", 1)
            #expect(StateFolder.standard == StateFolder("/somewhere/state/swift-photos"))
            setenv("HOME", "/home/ada", 1)
            for ignored in ["", "state", "./state"] {
                setenv("XDG_STATE_HOME", ignored, 1)
                #expect(StateFolder.standard.path == "/home/ada/.local/state/swift-photos")
            }
            unsetenv("XDG_STATE_HOME")
            #expect(StateFolder.standard.path == "/home/ada/.local/state/swift-photos")
        }
    }

    @Test func itIsOfItsOwnerOnly() throws {
        try state.prepare()
        let facts = try FileManager.default.attributesOfItem(atPath: state.path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: state.path + "/file"))
        try state.prepare()
        #expect(FileManager.default.contents(atPath: state.path + "/file") == Data("kept".utf8))
    }

    @Test func aFolderThatCannotBeMadeSaysWhatToDo() throws {
        try folder.write(Data(), to: "a")
        let error = #expect(throws: LibraryError.self) { try state.prepare() }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains(state.path) == true)
        #expect(error?.recovery?.contains("XDG_STATE_HOME") == true)
    }

    @Test func aLockExcludesOthersUntilItIsReleased() throws {
        try state.prepare()
        let path = state.path + "/lock"
        var lock: Descriptor? = try state.locked("lock")
        let other = Descriptor(owning: open(path, O_RDWR | O_CLOEXEC))
        #expect(flock(other.number, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
        #expect(lock != nil)
        lock = nil
        #expect(flock(other.number, LOCK_EX | LOCK_NB) == 0)
        // Locks of other names are independent.
        #expect(try state.locked("another").number >= 0)
    }

    @Test func aLockNeedsItsFolder() throws {
        let error = #expect(throws: SystemError.self) { _ = try state.locked("lock") }
        #expect(error == SystemError(call: "open", number: ENOENT, path: state.path + "/lock"))
    }

    /// A reader that opened a file keeps the state before the change.
    @Test func readersSeeTheStateBeforeOrAfter() throws {
        try state.prepare()
        let file = URL(fileURLWithPath: state.path + "/file")
        try state.replace("file", with: Data("before".utf8))
        let reader = try FileHandle(forReadingFrom: file)
        try state.replace("file", with: Data("after".utf8))
        #expect(try reader.readToEnd() == Data("before".utf8))
        #expect(try Data(contentsOf: file) == Data("after".utf8))
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["file"])
    }

    @Test func aFailedReplacementLeavesNothing() throws {
        try state.prepare()
        _ = try folder.folder("a/state/file")
        let error = #expect(throws: SystemError.self) {
            try state.replace("file", with: Data("a".utf8))
        }
        #expect(error?.call == "rename" && error?.path == state.path + "/file")
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["file"])
    }

    /// What is written in parts is the file only when all of it is there.
    @Test func aDraftReplacesTheFileWhenItIsCommitted() throws {
        try state.prepare()
        let file = URL(fileURLWithPath: state.path + "/file")
        try state.replace("file", with: Data("before".utf8))
        let abandoned = try state.draft(of: "file")
        try abandoned.append(Data("half".utf8))
        #expect(try Data(contentsOf: file) == Data("before".utf8))
        abandoned.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["file"])
        let draft = try state.draft(of: "file")
        for part in ["a", "", "fter"] { try draft.append(Data(part.utf8)) }
        try draft.commit()
        #expect(try Data(contentsOf: file) == Data("after".utf8))
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["file"])
    }
}
