import Foundation
import TestSupport
import Testing

/// Requested pictures, compared with the results of other programs for the same files (pains 8 and
/// 9).
///
/// A short run is always made. `PHOTOS_CONFORMANCE=DIR` tries every file in every variant, and
/// writes a page of all results to `DIR/index.html`.
@Suite(
    .timeLimit(.minutes(60)),
    .needsSharedData,
    .needsProgram("vips"),
    .needsProgram("heif-dec"),
    .needsProgram("djxl"),
    .needsProgram("dcraw_emu"),
    .needsProgram("exiftool"),
    .needsProgram("ffmpeg")
)
struct StillConformanceTests {
    private static let place = ProcessInfo.processInfo.environment["PHOTOS_CONFORMANCE"]
    private let work: TemporaryFolder

    init() throws {
        work = try TemporaryFolder("photos-made")
    }

    @Test("Pictures are those that other programs make of the same files")
    func picturesAreThoseOfOthers() throws {
        let isThorough = Self.place != nil
        let folder =
            Self.place.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-conformance", isDirectory: true)
        let samples =
            try (isThorough ? StillSample.all() : StillSample.thrifty())
            + StillSample.made(in: work, thrifty: !isThorough)
        #expect(samples.count > 100)
        let run = ConformanceRun(
            samples: samples,
            folder: folder.appendingPathComponent("mismatches", isDirectory: true),
            isThorough: isThorough
        )
        let files = try run.run()
        if isThorough {
            let page = ConformancePage(files: files, folder: run.folder)
            try page.write(to: folder.appendingPathComponent("index.html"))
        }
        for result in files.flatMap(\.results) where result.isWrong {
            Issue.record("\(Self.words(result)) Pictures: \(run.folder.path)")
        }
        let all = files.flatMap(\.results)
        #expect(all.filter { $0.difference != nil }.count > samples.count * 4)
        // Each listed deviation names an existing file, or is not tried here.
        for deviation in KnownDeviation.all where isThorough {
            #expect(
                all.contains { $0.name == deviation.name },
                "\(deviation.name) is listed, and there is no such file."
            )
        }
    }

    private static func words(_ result: ConformanceResult) -> String {
        let reason =
            switch result.verdict {
            case .fails(let reason): reason
            case .passesAgain(let reason): "It is listed as deviating, and is the same: \(reason)"
            case .same, .deviates: ""
            }
        let figures = result.difference.map {
            String(
                format: " Mean %.2f of 255, %.1f dB, alpha %.2f.",
                $0.mean,
                $0.signalToNoise,
                $0.alpha
            )
        }
        return "\(result.name), \(result.variant.rawValue): \(reason)\(figures ?? "")"
    }

    @Test func namesCannotBeMarkup() {
        #expect(
            ConformancePage.escaped("<a href=\"x\">'&") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"
        )
    }
}
