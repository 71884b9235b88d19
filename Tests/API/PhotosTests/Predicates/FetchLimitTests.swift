import Foundation
import Photos
import PhotosManagement
import Testing

/// A fetch that takes too long is empty; the throwing form gives the reason.
@Suite(.timeLimit(.minutes(3))) struct FetchLimitTests {
    @Test func slowExpressionsAreStopped() throws {
        let text = String(repeating: "a", count: 60) + "b"
        let world = try ChangeWorld(
            photos: 3,
            sql: "UPDATE asset SET title = '\(text)' WHERE id = 2;"
        )
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "title MATCHES '(a+)+'")
        let start = ContinuousClock.now
        #expect(world.bundle.using { PHAsset.fetchAssets(with: options) }.count == 0)
        let error = #expect(throws: PHPhotosError.self) {
            try world.bundle.fetchAssets(with: options)
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(error?.localizedDescription.contains("(a+)+") == true)
        options.predicate = NSPredicate(format: "title MATCHES 'a+b'")
        #expect(world.bundle.using { PHAsset.fetchAssets(with: options) }.count == 1)
    }

    @Test func aProgramLimitsItsFetches() throws {
        let world = try ChangeWorld(photos: 20_000)
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "NOT originalFilename CONTAINS[cd] 'x'")
        world.bundle.limitFetches(to: .milliseconds(1))
        let error = #expect(throws: PHPhotosError.self) {
            try world.bundle.fetchAssets(with: options)
        }
        #expect(error?.localizedDescription.contains("stopped") == true)
        #expect(world.bundle.using { PHAsset.fetchAssets(with: options) }.count == 0)
        world.bundle.limitFetches(to: nil)
        #expect(try world.bundle.fetchAssets(with: options).count == 20_000)
    }
}
