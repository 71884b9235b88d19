import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

/// Every malformed file, requested as a picture, as data and as a movie: each request gets exactly
/// one prompt answer, with a picture or a reason (pains 2, 3 and 10).
@Suite(.serialized, .timeLimit(.minutes(10)), .needsSharedData, .needsProgram("sqlite3"))
struct MalformedRequestTests {
    /// Whether to include slow requests that other requests already cover.
    private static let isThorough =
        ProcessInfo.processInfo.environment["PHOTOS_CONFORMANCE"] != nil
    /// An intact picture of 289 megapixels, which takes half a minute each time.
    private static let slow = ["17000x17000.avif"]

    /// The maximum duration of a request.
    ///
    /// A worker that hangs is terminated after a minute of processor time.
    private static let limit = Duration.seconds(100)

    /// The calls of one request's handler.
    private final class Answer: Sendable {
        struct Call: @unchecked Sendable {
            // Unchecked because its content is only read.
            var image: UIImage?
            var data: Data?
            var info: [AnyHashable: Any]

            var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
        }

        let calls = Mutex<[Call]>([])
        let time = Mutex<Duration?>(nil)
        private let start = ContinuousClock.now
        private let called = DispatchSemaphore(value: 0)

        func record(_ image: UIImage?, _ data: Data?, _ info: [AnyHashable: Any]?) {
            calls.withLock { $0.append(Call(image: image, data: data, info: info ?? [:])) }
            called.signal()
        }

        func wait() {
            _ = called.wait(timeout: .now() + 150)
            time.withLock { $0 = ContinuousClock.now - start }
        }
    }

    private func files() throws -> [URL] {
        try FileManager.default
            .contentsOfDirectory(atPath: SharedData.file("malformed").path).sorted()
            .map { SharedData.file("malformed/\($0)") }
    }

    private func image(_ asset: PHAsset) -> Answer {
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        let answer = Answer()
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 300, height: 300),
            contentMode: .aspectFit,
            options: options
        ) { answer.record($0, nil, $1) }
        answer.wait()
        return answer
    }

    private func data(_ asset: PHAsset) -> Answer {
        let answer = Answer()
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) {
            answer.record(nil, $0, $3)
        }
        answer.wait()
        return answer
    }

    /// Expects one call, in time, with a picture or an error that names the file and the reason.
    private func check(_ answer: Answer, _ file: URL, _ what: String) {
        let name = "\(file.lastPathComponent) as \(what)"
        let calls = answer.calls.withLock { $0 }
        #expect(calls.count == 1, "\(name)")
        let time = answer.time.withLock { $0 } ?? .seconds(1_000)
        #expect(time < Self.limit, "\(name) took \(time)")
        guard let call = calls.first else { return }
        if let pixels = call.image?.cgImage {
            #expect(pixels.width > 0 && pixels.height > 0, "\(name)")
        }
        // A partial picture comes with the error of the rest.
        guard let error = call.error else {
            #expect(call.image != nil || call.data != nil, "\(name): nothing, and no reason")
            return
        }
        #expect(
            error.localizedDescription.contains(file.lastPathComponent),
            "\(name): \(error.localizedDescription)"
        )
        let reason = error.failureReason ?? ""
        #expect(reason.count > 10 && reason.hasSuffix("."), "\(name): \(reason)")
        #expect(error.recoverySuggestion?.isEmpty == false, "\(name)")
    }

    @Test("Malformed originals cost an error, or give what can be seen of them")
    func malformedOriginalsAreAnswered() throws {
        let files = try files()
        #expect(files.count > 90)
        let library = try PlantedLibrary(files)
        let answers = Mutex<[(Answer, URL, String)]>([])
        let pictures = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let still = image(library.stills[index])
            let bytes = data(library.stills[index])
            let file = files[index]
            answers.withLock { $0 += [(still, file, "a picture"), (bytes, file, "data")] }
            if Self.isThorough || !Self.slow.contains(file.lastPathComponent) {
                let movie = image(library.movies[index])
                answers.withLock { $0.append((movie, file, "a movie")) }
            }
            if still.calls.withLock({ $0.first?.image }) != nil {
                pictures.withLock { _ = $0.insert(file.lastPathComponent) }
            }
            // The data must be the file's own bytes, whatever they are.
            let given = bytes.calls.withLock { $0.first?.data }
            #expect(
                given?.count == (try? Data(contentsOf: file))?.count,
                "\(file.lastPathComponent)"
            )
        }
        let all = answers.withLock { $0 }
        let left = Self.isThorough ? 0 : Self.slow.count
        #expect(all.count == files.count * 3 - left)
        for (answer, file, what) in all {
            check(answer, file, what)
            guard what == "data" else { continue }
            // The data must be the file's own bytes, whatever they are.
            let given = answer.calls.withLock { $0.first?.data }
            let bytes = try Data(contentsOf: file)
            #expect(given?.count == bytes.count, "\(file.lastPathComponent)")
        }
        // Some are only unusual, others hopeless: neither an error for all of them nor one for none
        // would be right.
        let seen = pictures.withLock { $0 }
        for name in ["trailing-zeros.jpg", "jpeg-renamed.png", "empty_exif.jpg"] {
            #expect(seen.contains(name), "\(name)")
        }
        for name in ["zero-byte.jpg", "text-renamed.jpg", "bomb-65536x65536.png", "badimage.jpeg"] {
            #expect(!seen.contains(name), "\(name)")
        }
    }

    @Test("Malformed files that were imported all the same are answered too")
    func importedFilesAreAnswered() throws {
        let files = try files().filter {
            Self.isThorough || !Self.slow.contains($0.lastPathComponent)
        }
        let library = try ConformanceLibrary(files)
        let found = zip(files, library.results).compactMap { file, result in
            (try? result.get()).map { (file, $0) }
        }
        #expect(found.count > 20)
        let answers = Mutex<[(Answer, URL)]>([])
        DispatchQueue.concurrentPerform(iterations: found.count) { index in
            let (file, asset) = found[index]
            let answer = image(asset)
            answers.withLock { $0.append((answer, file)) }
        }
        for (answer, file) in answers.withLock({ $0 }) { check(answer, file, "a picture") }
        // A file that the import rejects has a reason as well.
        for (file, result) in zip(files, library.results) {
            guard case .failure(let refusal) = result else { continue }
            #expect(refusal.description.count > 10, "\(file.lastPathComponent)")
        }
    }
}
