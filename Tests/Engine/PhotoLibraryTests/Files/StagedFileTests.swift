import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// A staged file that gives its descriptor away while it waits.
@Suite(.timeLimit(.minutes(1))) struct StagedFileTests {
    private static func file(at path: String) throws -> StagedFile {
        let files = FileOperations()
        return StagedFile(
            path: path,
            descriptor: try files.open(path, O_RDONLY),
            size: 4,
            digest: SHA256Digest(bytes: [UInt8](repeating: 0, count: 32)),
            files: files
        )
    }

    @Test func aParkedFileIsOpenedAgain() throws {
        let folder = try TemporaryFolder()
        let file = try Self.file(at: try folder.write(Data("data".utf8), to: "a").path)
        file.park()
        try file.reopen()
        let found = try FileHandle(
            fileDescriptor: file.descriptor.number,
            closeOnDealloc: false
        ).readToEnd()
        #expect(found == Data("data".utf8))
        // A second call keeps the open file.
        let number = file.descriptor.number
        try file.reopen()
        #expect(file.descriptor.number == number)
        try file.sync()
        file.discard()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        file.park()
        #expect(throws: SystemError.self) { try file.reopen() }
        // What is synced needs no open file.
        try file.sync()
    }

    @Test func readingAParkedFileStopsTheProgram() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let file = try Self.file(at: "/dev/null")
            file.park()
            _ = file.descriptor
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A parked file is not open."))
    }
}
