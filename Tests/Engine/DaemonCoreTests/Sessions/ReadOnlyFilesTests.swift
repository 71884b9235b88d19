import CLinuxShim
@testable import DaemonCore
import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

/// Indicates whether the kernel permits read-only clones here.
private let permitsClones = ReadOnlyFiles(of: "/usr").hasClone

/// Files for programs that must not be able to change them.
@Suite(.timeLimit(.minutes(2))) struct ReadOnlyFilesTests {
    private let folder: TemporaryFolder
    private var library: String { folder.file("A.photolibrary").path }

    init() throws {
        folder = try TemporaryFolder("photos-read-only")
    }

    private func open(_ path: String, _ flags: Int32 = O_RDONLY) throws -> Descriptor {
        let number = Glibc.open(path, flags | O_CLOEXEC)
        try #require(number >= 0, "\(errno)")
        return Descriptor(owning: number)
    }

    private func write(_ data: Data, to name: String) throws -> String {
        try folder.write(data, to: "A.photolibrary/originals/" + name).path
    }

    private func bytes(_ file: Descriptor) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "/proc/self/fd/\(file.number)"))
    }

    private func inode(_ file: Descriptor) throws -> UInt64 {
        var status = stat()
        try #require(fstat(file.number, &status) == 0)
        return UInt64(status.st_ino)
    }

    /// Expects that nothing can be written through a descriptor.
    private func expectFixed(_ file: Descriptor, sourceLocation: SourceLocation = #_sourceLocation)
    {
        let link = "/proc/self/fd/\(file.number)"
        #expect(pwrite(file.number, "x", 1, 0) < 0, sourceLocation: sourceLocation)
        #expect(ftruncate(file.number, 0) < 0, sourceLocation: sourceLocation)
        let again = Glibc.open(link, O_RDWR | O_CLOEXEC)
        guard again >= 0 else { return }
        #expect(pwrite(again, "x", 1, 0) < 0, sourceLocation: sourceLocation)
        close(again)
    }

    @Test(.enabled(if: permitsClones, "needs user namespaces"))
    func filesOfTheLibraryAreTheSame() throws {
        let path = try write(Data("original".utf8), to: "ab/a.jpg")
        let files = ReadOnlyFiles(of: library)
        let file = try open(path)
        let view = try files.view(of: file)
        #expect(try inode(view) == inode(file))
        #expect(try bytes(view) == Data("original".utf8))
        expectFixed(view)
        #expect(fchmod(view.number, 0o666) < 0 && errno == EROFS)
        #expect(Glibc.open("/proc/self/fd/\(view.number)", O_RDWR) < 0 && errno == EROFS)
        // Also one that arrived later, and one that was opened for writing.
        let later = try write(Data("later".utf8), to: "cd/b.jpg")
        let second = try files.view(of: open(later, O_RDWR))
        #expect(try bytes(second) == Data("later".utf8))
        expectFixed(second)
    }

    @Test(.enabled(if: permitsClones, "needs user namespaces"))
    func aLibraryBehindALinkHasAClone() throws {
        let path = try write(Data("original".utf8), to: "ab/a.jpg")
        let link = folder.file("Link.photolibrary").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: library)
        let file = try open(path)
        #expect(try inode(ReadOnlyFiles(of: link).view(of: file)) == inode(file))
    }

    @Test func whatIsNotInTheLibraryIsCopied() throws {
        let files = ReadOnlyFiles(of: library)
        _ = try write(Data("original".utf8), to: "ab/a.jpg")
        let outside = try folder.write(Data("outside".utf8), to: "A.photolibrary-2/a").path
        let removed = try write(Data("removed".utf8), to: "ab/b.jpg")
        let replaced = try write(Data("replaced".utf8), to: "ab/c.jpg")
        let opened = try [outside, removed, replaced].map { try open($0) }
        unlink(removed)
        unlink(replaced)
        _ = try write(Data("new".utf8), to: "ab/c.jpg")
        for (file, text) in zip(opened, ["outside", "removed", "replaced"]) {
            let view = try files.view(of: file)
            #expect(try inode(view) != inode(file), "\(text)")
            #expect(try bytes(view) == Data(text.utf8))
            expectFixed(view)
        }
    }

    @Test func withoutACloneFilesAreCopied() throws {
        let path = try write(Data("original".utf8), to: "ab/a.jpg")
        let files = ReadOnlyFiles(of: library, usesClone: false)
        #expect(!files.hasClone)
        let file = try open(path)
        let view = try files.view(of: file)
        #expect(try inode(view) != inode(file))
        #expect(try bytes(view) == Data("original".utf8))
        expectFixed(view)
        let empty = try files.view(of: open(write(Data(), to: "ab/empty")))
        #expect(try bytes(empty).isEmpty)
    }

    @Test func largeCopiesAreFilesWithoutAName() throws {
        let path = try write(Data("begin".utf8), to: "ab/large.mov")
        let size = (64 << 20) + 5
        try #require(truncate(path, off_t(size)) == 0)
        let file = try open(path, O_RDWR)
        #expect(pwrite(file.number, "end", 3, off_t(size - 3)) == 3)
        let view = try ReadOnlyFiles(of: library, usesClone: false).view(of: file)
        let link = "/proc/self/fd/\(view.number)"
        let place = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(!place.contains("memfd"), "\(place)")
        var status = stat()
        try #require(fstat(view.number, &status) == 0)
        #expect(status.st_nlink == 0 && status.st_size == size)
        var text = [UInt8](repeating: 0, count: 3)
        #expect(pread(view.number, &text, 3, off_t(size - 3)) == 3)
        #expect(text == Array("end".utf8))
        // What a program does with its copy changes nothing else.
        let own = Glibc.open("/proc/self/fd/\(view.number)", O_RDWR)
        if own >= 0 { #expect(pwrite(own, "x", 1, 0) == 1) }
        close(own)
        #expect(pread(file.number, &text, 1, 0) == 1 && text[0] == UInt8(ascii: "b"))
    }

    @Test func pipesAndSealedMemoryAreHandedOutAsTheyAre() throws {
        let files = ReadOnlyFiles(of: library)
        let watch = Descriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
        #expect(try files.view(of: watch) === watch)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
        #expect(try files.view(of: reading) === reading)
        let memory = Descriptor(owning: cphotos_memory_file("test", 10))
        #expect(try files.view(of: memory) !== memory)
        #expect(cphotos_seal(memory.number) == 0)
        #expect(try files.view(of: memory) === memory)
        #expect(writing.number >= 0)
        // A folder would let a program look around, and an event lets it wake others.
        let event = Descriptor(owning: cphotos_event())
        #expect(throws: LibraryError.self) { try files.view(of: event) }
        _ = try write(Data(), to: "ab/a")
        let place = try open(library, O_DIRECTORY)
        #expect(throws: LibraryError.self) { try files.view(of: place) }
    }
}
