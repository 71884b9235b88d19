import Foundation
import Photos
import Testing

/// Programming errors outside of change blocks stop the program with a message that names the call.
@Suite(.timeLimit(.minutes(2)))
struct ProgrammingErrorTests {
    private final class OwnPredicate: NSPredicate {}

    private final class OwnAsset: AVAsset, @unchecked Sendable {}

    private func words(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func formatsOfPredicateSubclasses() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = OwnPredicate(format: "isFavorite = YES")
        }
        #expect(words(result).contains("a subclass of NSPredicate cannot be made from a format"))
    }

    @Test func subclassesOfAssetsByURL() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = OwnAsset(url: URL(fileURLWithPath: "/tmp/movie.mov"))
        }
        #expect(words(result).contains("OwnAsset(url:) needs an initializer of its own."))
    }

    @Test func detailsWithoutAnObject() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = PHObjectChangeDetails<PHAsset>().objectBeforeChanges
        }
        #expect(words(result).contains("a subclass has to override it"))
    }

    @Test func errorsOfAnotherDomain() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            var error: PHPhotosError?
            PHPhotosError._forceBridgeFromObjectiveC(
                NSError(domain: "org.example", code: 1),
                result: &error
            )
        }
        #expect(words(result).contains("An NSError of the domain org.example cannot be cast"))
        let missing = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = PHPhotosError._unconditionallyBridgeFromObjectiveC(nil)
        }
        #expect(words(missing).contains("nil cannot be cast to PHPhotosError."))
    }
}
