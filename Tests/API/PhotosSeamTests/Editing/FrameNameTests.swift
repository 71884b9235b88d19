import Foundation
import PhotosCompanions
import Testing

@testable import Photos

/// The words for a Live Photo's frames in error messages.
@Suite(.timeLimit(.minutes(1))) struct FrameNameTests {
    private func name(_ time: CMTime, _ type: PHLivePhotoFrameType = .video) -> String {
        LivePhotoEdit.name(
            of: LivePhotoFrame(image: CIImage(), time: time, type: type, renderScale: 1)
        )
    }

    @Test func framesHaveTheirTime() {
        #expect(name(CMTime(value: 3, timescale: 2)) == "the frame at 1500 ms")
        #expect(name(.zero, .photo) == "the still")
    }

    @Test func timesThatAreNoneAreLeftOut() {
        let far = CMTime(value: .max, timescale: 1)
        for time in [far, .positiveInfinity, .invalid] {
            #expect(name(time) == "a frame of the movie")
        }
    }
}
