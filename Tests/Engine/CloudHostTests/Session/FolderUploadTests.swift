import Foundation
import ObjectStorage
import StoreClients
import TestSupport
import Testing

@testable import CloudHost

/// What interrupted uploads left in a store that is a folder.
@Suite(.timeLimit(.minutes(2))) struct FolderUploadTests {
    @Test func oldUploadsAreRemoved() async throws {
        let folder = try TemporaryFolder("photos-store")
        let store = try await DirectoryStore.open(folder.path, marker: nil, timeout: .seconds(60))
        let world = try HostWorld(client: { store })
        _ = try await world.create()
        try await world.sync()
        for (name, days) in [("old", 8.0), ("new", 6.0)] {
            try folder.write(Data([1]), to: ".tmp/" + name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)],
                ofItemAtPath: folder.path + "/.tmp/" + name
            )
        }
        let report = try await world.sync()
        #expect(report.alarms == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.tmp")
        #expect(left == ["new"])
    }
}
