import Foundation
import Photos

/// Measures Noir on large pictures against a grayscale conversion by libvips.
///
/// Ours includes opening the file, the worker's decoding, the filter, encoding, and the file with
/// its EXIF data. `vips` includes decoding, `colourspace b-w`, encoding in the same quality, and
/// the file. Neither includes process start-up.
struct EditSuite {
    let rounds: Int

    /// The longer side of a phone's picture of 48 megapixels.
    private static let largeWidth = 8_064

    func run(_ report: Report) throws {
        let work = try WorkFolder()
        let folder = work.url
        let jpeg = try small(report, in: folder)
        guard ThumbnailTools.has("vips"), ThumbnailTools.has("heif-enc") else { return }
        let large = folder.appendingPathComponent("48.jpg")
        let heic = folder.appendingPathComponent("48.heic")
        try Shell.run(
            "vips resize \"$1\" \"$2\" 2 && heif-enc -q 50 -p preset=ultrafast \"$2\" -o \"$3\""
                + " > /dev/null 2>&1",
            [jpeg.path, large.path, heic.path]
        )
        try measure(heic, "Noir of a HEIC of 48 MP", in: folder, limit: 1.3, report)
        try measure(large, "Noir of a JPEG of 48 MP", in: folder, limit: nil, report)
    }

    /// Measures a JPEG of 12 megapixels only.
    func small(_ report: Report) throws {
        let work = try WorkFolder()
        _ = try small(report, in: work.url)
    }

    private func small(_ report: Report, in folder: URL) throws -> URL {
        let jpeg = folder.appendingPathComponent("12.jpg")
        for data in try BenchmarkPictures.jpegs(count: 1) { try data.write(to: jpeg) }
        try measure(jpeg, "Noir of a JPEG of 12 MP", in: folder, limit: 1.3, report)
        return jpeg
    }

    private func measure(
        _ file: URL,
        _ name: String,
        in folder: URL,
        limit: Double?,
        _ report: Report
    ) throws {
        let context = CIContext()
        guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { return }
        func edit(to output: String) throws {
            guard let image = CIImage(contentsOf: file) else {
                throw BenchmarkError(description: "\(file.path) can't be read.")
            }
            try context.writeJPEGRepresentation(
                of: image.applyingFilter("CIPhotoEffectNoir"),
                to: folder.appendingPathComponent(output),
                colorSpace: space
            )
        }
        try edit(to: "warm.jpg")
        ProcessMemory.resetPeaks()
        let hasPeer = ThumbnailTools.has("vips")
        var ours: [Double] = []
        var peer: [Double] = []
        for _ in 0..<max(1, rounds) {
            ours.append(try seconds { try edit(to: "ours.jpg") })
            if hasPeer { peer.append(try vips(file, in: folder)) }
        }
        report.print(
            Report.Case(
                suite: "edit",
                name: name,
                ours: median(ours),
                peer: hasPeer ? median(peer) : nil,
                peerName: hasPeer ? "vips colourspace" : nil,
                unit: "s",
                limit: hasPeer ? limit : nil
            )
        )
        let peerMemory = hasPeer ? try vipsMemory(file, in: folder) : nil
        report.print(
            Report.Case(
                suite: "edit",
                name: name + ", peak memory of the worker",
                ours: ProcessMemory.workerPeak(),
                peer: peerMemory,
                peerName: peerMemory == nil ? nil : "vips colourspace",
                unit: "MB",
                limit: peerMemory == nil ? nil : limit
            )
        )
        report.print(
            Report.Case(
                suite: "edit",
                name: name + ", peak memory of the program",
                ours: ProcessMemory.peak(),
                unit: "MB",
                limit: nil
            )
        )
    }

    /// Returns the peak memory of `vips` in megabytes, or nil without Python to measure it.
    private func vipsMemory(_ file: URL, in folder: URL) throws -> Double? {
        guard ThumbnailTools.has("python3") else { return nil }
        let script = """
            python3 -c 'import resource, subprocess, sys
            subprocess.run(sys.argv[2:], check=True, stderr=subprocess.DEVNULL)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            open(sys.argv[1], "w").write(str(peak))' \
            "$1" vips colourspace "$2" "$3[Q=90,subsample_mode=on]" b-w
            """
        let answer = folder.appendingPathComponent("memory.txt")
        let output = folder.appendingPathComponent("peer.jpg").path
        try Shell.run(script, [answer.path, file.path, output])
        return Double(try String(contentsOf: answer, encoding: .utf8)).map { $0 / 1_000 }
    }

    /// Returns the seconds that `vips` takes, less those for a picture of one pixel.
    private func vips(_ file: URL, in folder: URL) throws -> Double {
        let script =
            "vips colourspace \"$1\" \"$2[Q=90,subsample_mode=on]\" b-w"
        let pixel = folder.appendingPathComponent("pixel.ppm")
        try (Data("P6 1 1 255\n".utf8) + Data([1, 2, 3])).write(to: pixel)
        let output = folder.appendingPathComponent("peer.jpg").path
        let start = try seconds { try Shell.run(script, [pixel.path, output]) }
        let all = try seconds { try Shell.run(script, [file.path, output]) }
        return max(0, all - start)
    }
}
