import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Drawn files that are truncated or have damaged headers.
@Suite(.timeLimit(.minutes(1)))
struct DamagedFileTests {
    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared

    init() throws { folder = try TemporaryFolder() }

    /// Every file that is truncated or has flipped bytes in its header gets an answer.
    ///
    /// The libraries have bugs (LibRaw 0.20 writes beyond a thumbnail's memory for one of these):
    /// such a file costs a worker, and only that.
    @Test func damagedFilesAreAnswered() throws {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:01:02 03:04:05"),
            location: Location(latitude: 1, longitude: 2),
            make: "Apple"
        )
        metadata.contentIdentifier = "C"
        metadata.title = "title"
        let size = PixelSize(width: 32, height: 24)
        let photo = SamplePhoto(size: size, metadata: metadata)
        let movie = SampleMovie(size: size, duration: 0.1, metadata: metadata)
        let files = [
            try SampleFile.jpeg(photo), SampleFile.png(photo), SampleFile.dng(photo),
            SampleFile.gif(photo.picture, size: size, frames: 2),
            try SampleFile.quickTime(movie),
        ]
        let before = pool.startCount
        for file in files {
            let step = max(1, file.count / 60)
            for length in stride(from: 1, to: file.count, by: step) {
                try probe(file.prefix(length))
            }
            for index in stride(from: 0, to: min(file.count, 1200), by: 7) {
                var damaged = file
                damaged[index] ^= 0xff
                try probe(damaged)
            }
        }
        #expect(pool.startCount - before < 10)
    }

    private func probe(_ data: Data) throws {
        let url = try folder.write(data, to: "damaged")
        let answer = try pool.probe(path: url.path, renditionSide: 64)
        if let reason = answer.reason { #expect(reason.hasSuffix(".")) }
    }
}
