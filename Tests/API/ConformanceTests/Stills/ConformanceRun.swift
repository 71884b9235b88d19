import Foundation
import Photos
import Synchronization
import TestSupport

/// Requests every variant of every sample, and compares each with the results of other programs.
struct ConformanceRun: Sendable {
    let samples: [StillSample]
    /// The folder for pictures of mismatches.
    let folder: URL
    /// Whether to compare all pixels too, and to create the pictures for the page.
    let isThorough: Bool

    /// One file's results, and thumbnails for the page.
    struct FileResults: Sendable {
        var sample: StillSample
        var results: [ConformanceResult]
        /// JPEGs of our result and of the reference.
        var thumbnails: (ours: Data, reference: Data)?
    }

    /// The maximum number of pixels up to which all of them are compared.
    private static let fullLimit = 30_000_000

    func run() throws -> [FileResults] {
        let library = try ConformanceLibrary(samples.map(\.file))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let results = Mutex<[Int: FileResults]>([:])
        DispatchQueue.concurrentPerform(iterations: samples.count) { index in
            let result = check(samples[index], index, library.results[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { found in samples.indices.compactMap { found[$0] } }
    }

    private func check(
        _ sample: StillSample,
        _ index: Int,
        _ imported: Result<PHAsset, ConformanceLibrary.ImportFailure>
    ) -> FileResults {
        var found = FileResults(sample: sample, results: [])
        let references: ReferencePictures
        do {
            references = try ReferencePictures(sample)
        } catch {
            found.results = [wrong(sample, .fit, "There is no reference: \(error).")]
            return found
        }
        let asset: PHAsset
        switch imported {
        case .success(let fetched): asset = fetched
        case .failure(let refusal):
            found.results = [wrong(sample, .fit, "It is not in the library: \(refusal)")]
            return found
        }
        for variant in variants(of: sample, references.area) {
            found.results.append(check(sample, index, variant, asset, references))
        }
        if isThorough { found.thumbnails = try? thumbnails(asset, references) }
        return found
    }

    /// Returns the variants to request of a file; a short run covers only some of the many
    /// orientations.
    private func variants(of sample: StillSample, _ area: Area) -> [Variant] {
        let pixels = area.width * area.height
        if isThorough {
            return Variant.allCases.filter { !$0.takesAllPixels || pixels < Self.fullLimit }
        }
        guard sample.name.hasPrefix("formats/") else {
            return [.fit, .exactFill, .cropFit] + (pixels < 10_000 ? [.full] : [])
        }
        return Variant.thrifty + (pixels < 300_000 ? [.cropWhole, .full] : [])
    }

    private func wrong(
        _ sample: StillSample,
        _ variant: Variant,
        _ reason: String
    ) -> ConformanceResult {
        var result = ConformanceResult(
            name: sample.name,
            variant: variant,
            verdict: .fails(reason)
        )
        if let known = KnownDeviation.reason(sample.name, variant) {
            result.verdict = .deviates(known)
        }
        return result
    }

    private func check(
        _ sample: StillSample,
        _ index: Int,
        _ variant: Variant,
        _ asset: PHAsset,
        _ references: ReferencePictures
    ) -> ConformanceResult {
        let (image, error) = Self.request(asset, variant)
        guard let image, let ours = VipsImage(image) else {
            let reason = (error as? PHPhotosError)?.failureReason ?? "no picture and no reason"
            return wrong(sample, variant, "It gave no picture: \(reason)")
        }
        let size = Area(width: ours.width, height: ours.height)
        let geometry = variant.geometry(of: references.area, given: size)
        var result = ConformanceResult(
            name: sample.name,
            variant: variant,
            size: size,
            verdict: .same
        )
        var failure: String?
        let facts = Area(width: asset.pixelWidth, height: asset.pixelHeight)
        if facts != references.area || (sample.area ?? facts) != facts {
            failure = "The asset says \(facts), others \(sample.area ?? references.area)."
        } else if size != geometry.canvas {
            failure = "It has \(size), not \(geometry.canvas)."
        } else {
            failure = compare(ours, geometry, sample, references, index, &result)
        }
        let known = KnownDeviation.reason(sample.name, variant)
        switch (failure, known) {
        case (nil, nil): result.verdict = .same
        case (nil, let known?): result.verdict = .passesAgain(known)
        case (_?, let known?): result.verdict = .deviates(known)
        case (let failure?, nil): result.verdict = .fails(failure)
        }
        return result
    }

    /// Compares pixels, and saves pictures of a mismatch.
    ///
    /// - Returns: The error, if any.
    private func compare(
        _ ours: VipsImage,
        _ geometry: Geometry,
        _ sample: StillSample,
        _ references: ReferencePictures,
        _ index: Int,
        _ result: inout ConformanceResult
    ) -> String? {
        let pictures = references.pictures(geometry)
        let origin = geometry.origin
        let inner = ours.part(
            x: origin.x,
            y: origin.y,
            width: geometry.inner.width,
            height: geometry.inner.height
        )
        let pairs = pictures.compactMap { picture in
            PictureDifference(inner, picture).map { (picture, $0) }
        }
        // The most similar one, because either of two pictures may be shown for a RAW file.
        guard let best = pairs.min(by: { $0.1.mean < $1.1.mean }) else {
            return "The reference has another size."
        }
        result.difference = best.1
        let isEnlarged =
            geometry.inner.width > geometry.part.area.width
            || geometry.inner.height > geometry.part.area.height
        let tolerance: ConformanceResult.Tolerance =
            sample.judge == .ffmpeg
            ? .movie
            : result.variant.takesAllPixels ? .pixels : isEnlarged ? .enlarged : .scaled
        var failure: String?
        if !Self.hasClearBars(ours, geometry) {
            failure = "What lies beside the picture is not transparent."
        } else if !tolerance.accepts(best.1) {
            failure = "It looks different."
        }
        if failure != nil {
            result.pictures = try? save(inner, best.0, "\(index)-\(result.variant.rawValue)")
        }
        return failure
    }

    private static func hasClearBars(_ ours: VipsImage, _ geometry: Geometry) -> Bool {
        let (left, top) = geometry.origin
        let (right, bottom) = (left + geometry.inner.width, top + geometry.inner.height)
        guard geometry.inner != geometry.canvas else { return true }
        for y in 0..<ours.height {
            for x in 0..<ours.width where y < top || y >= bottom || x < left || x >= right {
                if ours.pixel(y * ours.width + x).alpha != 0 { return false }
            }
        }
        return true
    }

    // MARK: - Our results

    private static func request(
        _ asset: PHAsset,
        _ variant: Variant
    ) -> (UIImage?, (any Error)?) {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.resizeMode = variant.resize
        if let crop = variant.crop { options.normalizedCropRect = crop }
        var answer: (UIImage?, (any Error)?) = (nil, nil)
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: variant.size,
            contentMode: variant.mode,
            options: options
        ) { image, info in
            answer = (image, info?[PHImageErrorKey] as? any Error)
        }
        return answer
    }

    // MARK: - Pictures for the page

    private func save(
        _ ours: VipsImage,
        _ reference: VipsImage,
        _ stem: String
    ) throws -> ConformanceResult.Pictures {
        let pictures = ConformanceResult.Pictures(
            ours: "\(stem)-ours.png",
            reference: "\(stem)-reference.png",
            difference: "\(stem)-difference.png"
        )
        try png(ours, pictures.ours)
        try png(reference, pictures.reference)
        try png(PictureDifference.picture(ours, reference), pictures.difference)
        return pictures
    }

    private func png(_ picture: VipsImage, _ name: String) throws {
        let source = folder.appendingPathComponent(name + ".v")
        defer { try? FileManager.default.removeItem(at: source) }
        try picture.write(to: source)
        let target = folder.appendingPathComponent(name).path
        _ = try ProcessRunner.run("vips", ["copy", source.path, target + "[strip]"])
    }

    private func thumbnails(
        _ asset: PHAsset,
        _ references: ReferencePictures
    ) throws -> (ours: Data, reference: Data)? {
        guard let image = Self.request(asset, .fit).0, let ours = VipsImage(image) else {
            return nil
        }
        let work = try TemporaryFolder("photos-thumbnails")
        return try references.masters.first.map { master in
            (ours: try jpeg(ours, in: work), reference: try jpeg(master, in: work))
        }
    }

    private func jpeg(_ picture: VipsImage, in work: TemporaryFolder) throws -> Data {
        let file = work.file("thumbnail.v")
        try picture.write(to: file)
        let target = work.file("thumbnail.jpg")
        let output = try ProcessRunner.run(
            "vips",
            [
                "thumbnail", file.path, target.path + "[Q=60,strip,background=200]", "88",
                "--no-rotate",
            ]
        )
        guard output.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try Data(contentsOf: target)
    }
}
