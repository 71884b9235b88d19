import EmbeddedLibrary
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RenditionFixture
import TestSupport
import Testing

@testable import PhotoLibrary

/// The digests of files that clients send.
@Suite(.timeLimit(.minutes(1))) struct FileDigestTests {
    private let world: ClientWorld
    private let engine: LibraryEngine
    private let file: URL

    init() throws {
        world = try ClientWorld()
        engine = try world.engine()
        file = try world.library.folder.write(Data("twelve bytes".utf8), to: "source/file")
    }

    private static func open(_ path: String) throws -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last("open", path: path) }
        return Descriptor(owning: number)
    }

    /// A device such as `/dev/zero` has no end.
    @Test(arguments: ["/dev/null", "/"]) func onlyRegularFilesAreRead(_ path: String) throws {
        let session = try engine.session()
        defer { session.close() }
        let error = #expect(throws: LibraryError.self) {
            try session.fileDigests(of: [Self.open(path)])
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.reason != nil && error?.recovery != nil)
        #expect(try session.fileDigests(of: [Self.open(file.path)]).digests.count == 1)
    }

    @Test func aCanceledCallReadsNoFurther() throws {
        let session = try engine.session()
        defer { session.close() }
        let file = try Self.open(self.file.path)
        let cancellation = CallCancellation()
        cancellation.cancel()
        let error = #expect(throws: LibraryError.self) {
            try CallContext(cancellation: cancellation).perform { () throws(LibraryError) in
                try session.fileDigests(of: [file])
            }
        }
        #expect(error?.code == .cancelled)
    }

    /// A program appends to the file for as long as it is read.
    @Test func noMoreThanTheSizeIsRead() throws {
        let file = try Self.open(self.file.path)
        let files = FileOperations()
        #expect(try files.digest(of: file.number, limit: 12, while: { true }) != nil)
        #expect(try files.digest(of: file.number, limit: 11, while: { true }) == nil)
        withExtendedLifetime(file) {}
    }
}
