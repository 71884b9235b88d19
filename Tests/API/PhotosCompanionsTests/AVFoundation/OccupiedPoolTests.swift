import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Movies and places of programs whose blocks on global queues wait for them.
///
/// Each test runs in a process of its own, whose blocks occupy the threads that Dispatch shares.
@Suite(.timeLimit(.minutes(2))) struct OccupiedPoolTests {
    /// The file does not exist, so loading it fails without a worker.
    @Test func valuesAreLoaded() async {
        await #expect(processExitsWith: .success) {
            let areLoaded = OccupiedPool.endsInEachBlock { done in
                let asset = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/at/all.mov"))
                asset.loadValuesAsynchronously(forKeys: ["duration"]) {
                    if asset.statusOfValue(forKey: "duration") == .failed { done() }
                }
            }
            exit(areLoaded ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func placesAreFound() async {
        await #expect(processExitsWith: .success) {
            let geocoder = CLGeocoder()
            let areFound = OccupiedPool.endsInEachBlock { done in
                let munich = CLLocation(latitude: 48.137154, longitude: 11.576124)
                geocoder.reverseGeocodeLocation(munich) { placemarks, _ in
                    if placemarks?.first?.locality == "Munich" { done() }
                }
            }
            exit(areFound ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// There are more exports than workers for them, so some of them wait until a worker has ended.
    @Test func moviesAreReadAndExported() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder("photos-pool")
            let movie = SampleMovie(
                size: PixelSize(width: 96, height: 64),
                duration: 1,
                frameRate: 10
            )
            let url = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
            let asset = AVURLAsset(url: url)
            OccupiedPool.occupy()
            var areDone = OccupiedPool.ends { done in
                asset.loadTracks(withMediaType: .video) { tracks, _ in
                    if tracks?.count == 1 { done() }
                }
            }
            for number in 0..<10 where areDone {
                let name = AVAssetExportPresetPassthrough
                let session = try #require(AVAssetExportSession(asset: asset, presetName: name))
                session.outputURL = folder.file("\(number).mov")
                session.outputFileType = .mov
                areDone = OccupiedPool.ends { done in
                    session.exportAsynchronously { if session.status == .completed { done() } }
                }
            }
            try FileManager.default.removeItem(at: folder.url)
            exit(areDone ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
