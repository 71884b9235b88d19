import Foundation
import LibraryService
import PhotoModel
import Photos
import RemoteLibrary
import Synchronization
import TestSupport
import Testing

/// Files of a library of which the program does not learn where it is.
@Suite(.timeLimit(.minutes(1))) struct ConcealedFileTests {
    private let folder: TemporaryFolder
    private let library = FakeLibrary(assets: 1)
    private let bytes = Data("The content of a file.".utf8)

    init() throws {
        folder = try TemporaryFolder()
        try library.addResource(bytes, in: folder)
    }

    private func resource() throws -> PHAssetResource {
        let session = try PathlessSession(library)
        let connection = LibraryConnection(to: session, logger: library.log.logger)
        let resource = PHPhotoLibrary.using(connection) {
            PHAsset.fetchAssets(with: nil).firstObject.flatMap {
                PHAssetResource.assetResources(for: $0).first
            }
        }
        return try #require(resource)
    }

    @Test(
        "The URL of a resource is that of an open file, for this program and those that it starts"
    )
    func resourceHasAURL() throws {
        let resource = try resource()
        let url = try #require(resource.value(forKey: "fileURL") as? URL)
        #expect(url.path.hasPrefix("/proc/\(ProcessInfo.processInfo.processIdentifier)/fd/"))
        #expect(resource.value(forKey: "privateFileURL") as? URL == url)
        #expect(try Data(contentsOf: url) == bytes)
        let output = try ProcessRunner.run("/bin/cat", [url.path])
        #expect(output.standardOutput == bytes)
        withExtendedLifetime(resource) {}
    }

    @Test func missingFileIsNotAvailable() throws {
        let resource = try resource()
        #expect(resource.value(forKey: "locallyAvailable") as? Bool == true)
        library.state.withLock { $0.files = [:] }
        #expect(resource.value(forKey: "locallyAvailable") as? Bool == false)
        #expect(resource.value(forKey: "fileURL") == nil)
    }
}
