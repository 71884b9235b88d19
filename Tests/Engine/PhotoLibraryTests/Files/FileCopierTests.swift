import PhotoModel
import Foundation
import LibraryService
import PhotoLibrary
import SamplePhotos
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(2))) struct FileCopierTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String, _ flags: Int32) throws -> Descriptor {
        let number = Foundation.open(folder.file(name).path, flags | O_CLOEXEC, 0o600)
        try #require(number >= 0)
        return Descriptor(owning: number)
    }

    private func copy(
        size: Int64,
        sharesVolume: Bool,
        files: FileOperations = FileOperations()
    ) throws -> SHA256Digest {
        let source = try open("source", O_RDONLY)
        let target = try open("target", O_RDWR | O_CREAT | O_TRUNC)
        return try withExtendedLifetime((source, target)) {
            try FileCopier(files: files).copy(
                from: source.number,
                to: target.number,
                size: size,
                sharesVolume: sharesVolume
            )
        }
    }

    private func write(_ count: Int) throws -> Data {
        var generator = SeededGenerator(seed: UInt64(count))
        var data = Data(capacity: count)
        while data.count < count { data.append(UInt8.random(in: 0...255, using: &generator)) }
        try folder.write(data, to: "source")
        return data
    }

    @Test(
        "Copies have the same bytes and sha256sum's digest, at all sizes and both ways",
        .needsProgram("sha256sum"),
        arguments: [0, 1, 4_096, 524_287, 524_288, 524_289, 3_000_000],
        [true, false]
    )
    func copiesBytes(size: Int, sharesVolume: Bool) throws {
        let data = try write(size)
        let digest = try copy(size: Int64(size), sharesVolume: sharesVolume)
        #expect(try Data(contentsOf: folder.file("target")) == data)
        let oracle = try ProcessRunner.run("sha256sum", [folder.file("source").path])
        #expect(oracle.text.hasPrefix(digest.hexadecimal + " "))
    }

    @Test("A source that is shorter or longer than it said is told", arguments: [true, false])
    func noticesSizes(sharesVolume: Bool) throws {
        _ = try write(10_000)
        #expect(throws: FileCopier.Failure.sizeChanged) {
            try copy(size: 10_001, sharesVolume: sharesVolume)
        }
        #expect(throws: FileCopier.Failure.sizeChanged) {
            try copy(size: 9_999, sharesVolume: sharesVolume)
        }
    }

    @Test("A failing volume is told apart from a failing source")
    func blamesTheRightSide() throws {
        _ = try write(10)
        let full = FileOperations { $0 == .write ? ENOSPC : 0 }
        do {
            _ = try copy(size: 10, sharesVolume: false, files: full)
            Issue.record("The copy went through.")
        } catch FileCopier.Failure.write(let error) {
            #expect(error.isNoSpace)
        }
        let target = try open("target", O_RDWR | O_CREAT)
        let folderItself = try open("", O_RDONLY)
        do {
            _ = try withExtendedLifetime((target, folderItself)) {
                try FileCopier(files: FileOperations()).copy(
                    from: folderItself.number,
                    to: target.number,
                    size: 1,
                    sharesVolume: true
                )
            }
            Issue.record("A folder was copied.")
        } catch FileCopier.Failure.read(let error) {
            #expect(error.number == EISDIR)
        }
    }
}
