import Foundation
import ImagePipeline
import LibraryService
import Logging
import PhotoModel
import TestSupport
import Testing
import WorkerClient

@testable import PhotoLibrary

/// Photos that show the same picture, among the real camera files, without false matches.
///
/// The expected names of the files that show one picture were determined by viewing them.
extension SharedDataImportTests {
    private static let pictures = [
        "formats/fox\\.", "formats/heif-1[02]bit", "formats/jpeg-(arithmetic|testimgint)",
        "formats/(jxl-lossless|png-indexed|jpeg-xyb)", "hdr-gainmap/(hdr\\.avif|cosmos)",
        "hdr-gainmap/iphone13mini", "hdr-gainmap/seine", "orientation/sideways_bench",
        "orientation/xmp_tags", "timezone/(no_metadata|before_epoch)",
        "timezone/sydney_opera_house", "animated/iss634", "(formats|hdr-gainmap)/paris",
        "orientation/Portrait_", "timezone/big_ben",
        "(burst/IMG_06|large/48mp|live-photo/IMG_D00|malformed/.*\\.JPG)", "timezone/UTC-",
        "(formats/sunrise|formats/jxl-(lossy|from)|malformed/)", "orientation/g4_",
        "orientation/Landscape_", "(hopper|bmp-128|tiff-lab|malformed/)",
        "(orientation/letter-f|malformed/|names/)",
        "(fuji-xt1-tulips|gps/|names/|malformed/|timezone/|raw/|live-photo/|video/|adjusted/)",
    ]

    @Test("Only what is the same picture is found, and what is the same is found")
    func duplicatesShowOnePicture() throws {
        let imported = try Self.imported.get()
        let folder = try TemporaryFolder("photos-duplicates")
        let view = LibraryView(store: imported.store)
        let renditions = RenditionStore(
            path: folder.file("renditions.sqlite").path,
            logger: Logger(label: "test")
        )
        let images = ImageLoader(
            store: imported.store,
            resources: ResourceFetcher(view),
            renditions: renditions,
            workers: WorkerPool(
                configuration: WorkerPool.Configuration(executable: BuiltProducts.worker.path)
            ),
            work: ImageWork(files: ResourceFetcher(store: imported.store))
        )
        let finder = DuplicateFinder(view: view, renditions: renditions, images: images)
        var reply = try finder.duplicates(DuplicatesRequest(patience: 5))
        while reply.remaining > 0 {
            reply = try finder.duplicates(DuplicatesRequest(patience: 5))
        }
        var names: [String: String] = [:]
        for (name, outcome) in imported.outcomes where outcome.kind == .imported {
            if let identifier = outcome.localIdentifier { names[identifier] = name }
        }
        let ids = Dictionary(
            imported.assets.map { ($0.value.id, names[$0.key] ?? "?") },
            uniquingKeysWith: { first, _ in first }
        )
        let groups = reply.groups.map { $0.map { ids[$0] ?? "?" } }
        for group in groups {
            let isOne = Self.pictures.contains { pattern in
                // A name that is not valid Unicode has no outcome.
                group.allSatisfy {
                    $0 == "?" || $0.range(of: pattern, options: .regularExpression) != nil
                }
            }
            #expect(isOne, "\(group)")
        }
        // Nine orientations of one picture; frames of one burst are not duplicates.
        #expect(groups.contains { $0.filter { $0.contains("Landscape_") }.count >= 8 })
        #expect(groups.allSatisfy { $0.filter { $0.hasPrefix("burst/") }.count < 2 })
    }
}
