import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(2))) struct SubtypePolicyTests {
    private func subtypes(
        _ facts: MediaFacts,
        name: String = "IMG_0001.JPG",
        _ change: (inout MediaFacts) -> Void
    ) -> MediaSubtypes {
        var facts = facts
        change(&facts)
        return SubtypePolicy.subtypes(of: facts, filename: name)
    }

    @Test("An ordinary still or movie has none")
    func ordinary() {
        #expect(subtypes(.still()) { $0.customRendered = 1 } == [])
        #expect(subtypes(.movie()) { $0.hdr = ["hlg"] } == [])
    }

    @Test(
        "Apple's CustomRendered tells, and other makers' does not",
        arguments: [
            (3, .photoHDR), (6, .photoPanorama), (8, .photoDepthEffect),
            (7, [.photoHDR, .photoDepthEffect]), (9, [.photoHDR, .photoDepthEffect]), (4, []),
        ] as [(Int, MediaSubtypes)]
    )
    func customRendered(value: Int, expected: MediaSubtypes) {
        let apple = subtypes(.still()) {
            $0.camera.make = "Apple"
            $0.customRendered = value
        }
        #expect(apple == expected)
        #expect(subtypes(.still()) { $0.customRendered = value } == [])
    }

    @Test("Gain maps, depth, panorama, animation, stereo")
    func otherMarks() {
        #expect(subtypes(.still()) { $0.hdr = ["aux-gainmap"] } == .photoHDR)
        #expect(subtypes(.still()) { $0.appleHDRImageType = 3 } == .photoHDR)
        #expect(subtypes(.still()) { $0.appleHDRImageType = 4 } == [])
        #expect(subtypes(.still()) { $0.depth = ["gdepth"] } == .photoDepthEffect)
        #expect(
            subtypes(.still()) { $0.panoramaProjection = "equirectangular" } == .photoPanorama
        )
        #expect(subtypes(.still()) { $0.isPanorama = true } == .photoPanorama)
        #expect(subtypes(.still(.gif)) { $0.isAnimated = true } == .photoAnimation)
        #expect(subtypes(.still(.heic)) { $0.isStereo = true } == .spatialMedia)
        #expect(subtypes(.movie()) { $0.isStereo = true } == .spatialMedia)
    }

    @Test("A screenshot is told by its comment, or by its name where no camera is named")
    func screenshots() {
        #expect(subtypes(.still(.png)) { $0.userComment = "Screenshot" } == .photoScreenshot)
        let name = "Screenshot from 2024-01-01 10-00-00.png"
        #expect(subtypes(.still(.png), name: name) { $0.camera.make = nil } == .photoScreenshot)
        #expect(subtypes(.still(.png), name: name) { _ in } == [])
    }

    @Test("Frame rates and QuickTime keys tell what a movie is")
    func movies() {
        #expect(subtypes(.movie(frameRate: 120)) { _ in } == .videoHighFrameRate)
        #expect(subtypes(.movie(frameRate: 60)) { _ in } == [])
        func key(_ key: String, _ value: String) -> MediaSubtypes {
            subtypes(.movie()) { $0.movie?.keys = [key: value] }
        }
        let space = "com.apple.quicktime."
        #expect(key(space + "full-frame-rate-playback-intent", "0") == .videoHighFrameRate)
        #expect(key(space + "full-frame-rate-playback-intent", "1") == [])
        #expect(key("com.android.capture.fps", "240.0") == .videoHighFrameRate)
        #expect(key("com.android.capture.fps", "30.0") == [])
        #expect(key("com.apple.photos.captureMode", "Time-lapse") == .videoTimelapse)
        #expect(key(space + "author", "ReplayKitRecording") == .videoScreenRecording)
        #expect(key(space + "author", "Ada") == [])
        #expect(key(space + "cinematic-video.intent", "1") == .videoCinematic)
        #expect(
            subtypes(.movie(), name: "RPReplay_Final1700000000.MP4") { _ in }
                == .videoScreenRecording
        )
    }
}
