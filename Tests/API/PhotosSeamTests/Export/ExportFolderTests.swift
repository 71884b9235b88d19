import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing

@testable import PhotosManagement

/// Exports to file systems whose renames cannot refuse a name that is taken.
@Suite(.timeLimit(.minutes(1))) struct ExportFolderTests {
    private static var names: ExportNames { ExportNames(["IMG_1.HEIC", "IMG_1.MOV"]) }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Places the two files of a Live Photo in a folder whose renames fail with `number`.
    private func place(failingWith number: Int32) throws -> [String] {
        let target = try ExportFolder(path: folder.file("out").path) { _, _ in
            errno = number
            return -1
        }
        let stage = try target.makeStage()
        defer { target.discard(stage) }
        for (name, text) in [("0", "still"), ("1", "movie")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: stage + "/" + name))
        }
        return try target.place(
            ["0", "1"],
            as: Self.names,
            from: stage,
            control: OperationControl()
        )
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.file("out/" + name)), as: UTF8.self)
    }

    private func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path).sorted()
    }

    @Test(arguments: [EINVAL, ENOSYS])
    func bothFilesOfALivePhotoArePlaced(number: Int32) throws {
        let paths = try place(failingWith: number)
        #expect(paths == ["IMG_1.HEIC", "IMG_1.MOV"].map { folder.file("out/" + $0).path })
        #expect(try contents() == ["IMG_1.HEIC", "IMG_1.MOV"])
        #expect(try text("IMG_1.HEIC") == "still")
        #expect(try text("IMG_1.MOV") == "movie")
    }

    @Test func aTakenNameGetsANumber() throws {
        try folder.write(Data("mine".utf8), to: "out/IMG_1.MOV")
        _ = try place(failingWith: EINVAL)
        #expect(try contents() == ["IMG_1 (1).HEIC", "IMG_1 (1).MOV", "IMG_1.MOV"])
        #expect(try text("IMG_1.MOV") == "mine")
        #expect(try text("IMG_1 (1).MOV") == "movie")
    }

    /// The second name is taken by another program after it was found free.
    @Test func aNameThatIsTakenMeanwhileGetsANumber() throws {
        let movie = folder.file("out/IMG_1.MOV")
        let target = try ExportFolder(path: folder.file("out").path) { _, newName in
            if newName == movie.path { try? Data("theirs".utf8).write(to: movie) }
            errno = EINVAL
            return -1
        }
        let stage = try target.makeStage()
        defer { target.discard(stage) }
        for name in ["0", "1"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: stage + "/" + name))
        }
        _ = try target.place(
            ["0", "1"],
            as: Self.names,
            from: stage,
            control: OperationControl()
        )
        #expect(try text("IMG_1.MOV") == "theirs")
        #expect(try text("IMG_1 (1).HEIC") == "0")
        #expect(try text("IMG_1 (1).MOV") == "1")
    }

    @Test func anotherFailureIsReportedAndPlacesNothing() throws {
        let error = #expect(throws: LibraryError.self) { _ = try place(failingWith: EROFS) }
        #expect(error?.code == .readOnly)
        #expect(try contents() == [])
    }
}
