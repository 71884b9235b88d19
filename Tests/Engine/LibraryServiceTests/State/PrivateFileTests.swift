import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PrivateFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-private") }

    /// Replaces the content of a file.
    private static func write(_ data: Data, to path: String) throws(SystemError) {
        try PrivateFile.append(data, to: try PrivateFile.create(path), path: path)
    }

    @Test func aNewFileIsOfItsOwnerOnly() throws {
        let file = folder.file("a")
        try PrivateFileTests.write(Data("secret".utf8), to: file.path)
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try Data(contentsOf: file) == Data("secret".utf8))
    }

    /// Nothing of longer content remains.
    @Test func contentIsReplacedWhole() throws {
        let file = try folder.write(Data(repeating: 7, count: 100_000), to: "a")
        try PrivateFileTests.write(Data([1, 2, 3]), to: file.path)
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        try PrivateFileTests.write(Data(), to: file.path)
        #expect(try Data(contentsOf: file).isEmpty)
    }

    /// A link could lead to a file of another user.
    @Test func aLinkIsNotFollowed() throws {
        let target = try folder.write(Data("kept".utf8), to: "target")
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let error = #expect(throws: SystemError.self) {
            try PrivateFileTests.write(Data("lost".utf8), to: link.path)
        }
        #expect(error == SystemError(call: "open", number: ELOOP, path: link.path))
        #expect(try Data(contentsOf: target) == Data("kept".utf8))
    }

    @Test func aFailureHasItsCallAndPath() throws {
        let file = folder.file("no/such/file").path
        let error = #expect(throws: SystemError.self) {
            try PrivateFileTests.write(Data(), to: file)
        }
        #expect(error == SystemError(call: "open", number: ENOENT, path: file))
    }

    @Test func bytesAreAppendedAtThePosition() throws {
        let path = try folder.write(Data("0123456789".utf8), to: "a").path
        let file = Descriptor(owning: open(path, O_RDWR | O_CLOEXEC))
        #expect(lseek(file.number, 4, SEEK_SET) == 4)
        try PrivateFile.append(Data("ab".utf8), to: file, path: path)
        try PrivateFile.append(Data(), to: file, path: path)
        try PrivateFile.append(Data("c".utf8), to: file, path: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "0123abc789")
    }

    @Test func anUnwritableFileFails() throws {
        let path = try folder.write(Data("a".utf8), to: "a").path
        let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        let error = #expect(throws: SystemError.self) {
            try PrivateFile.append(Data("b".utf8), to: file, path: path)
        }
        #expect(error == SystemError(call: "write", number: EBADF, path: path))
        // A full device accepts nothing.
        let full = Descriptor(owning: open("/dev/full", O_WRONLY | O_CLOEXEC))
        let other = #expect(throws: SystemError.self) {
            try PrivateFile.append(Data("b".utf8), to: full, path: "/dev/full")
        }
        #expect(other?.isNoSpace == true)
    }

    /// A program may have been started without a standard input, whose number files then have.
    @Test func anyNumberOfADescriptorIsValid() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder("photos-private")
            close(STDIN_FILENO)
            try PrivateFile.sync(folder: folder.path)
            try PrivateFileTests.write(Data("a".utf8), to: folder.file("a").path)
        }
    }

    @Test func onlyFoldersAreSynced() throws {
        try PrivateFile.sync(folder: folder.path)
        let file = try folder.write(Data(), to: "a").path
        let error = #expect(throws: SystemError.self) { try PrivateFile.sync(folder: file) }
        #expect(error == SystemError(call: "open", number: ENOTDIR, path: file))
    }
}
