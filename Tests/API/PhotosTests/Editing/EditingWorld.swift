import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// A separate library for one test that edits.
final class EditingWorld {
    let world: ChangeWorld

    init() throws { world = try ChangeWorld() }

    /// The answer to a request for an input.
    struct Answer: @unchecked Sendable {
        // Unchecked because the dictionary is only read.
        var input: PHContentEditingInput?
        var info: [AnyHashable: Any]

        var error: PHPhotosError? { info[PHContentEditingInputErrorKey] as? PHPhotosError }
    }

    /// Adds a photo from files.
    func add(_ files: [(PHAssetResourceType, URL)]) throws -> PHAsset {
        var identifier = ""
        try world.change {
            let request = PHAssetCreationRequest.forAsset()
            for (type, url) in files { request.addResource(with: type, fileURL: url, options: nil) }
            identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
        }
        return try #require(world.assets.first { $0.localIdentifier == identifier })
    }

    func addPhoto(_ number: Int = 0) throws -> PHAsset {
        try add([(.photo, world.photo(number, named: "Lake \(number).JPG"))])
    }

    /// Returns a sample photo that differs from the added ones.
    static func rendering(_ number: Int = 7) throws -> URL {
        let samples = try ChangeWorld.samples.get()
        return samples.jpegs[number % samples.jpegs.count]
    }

    /// Requests an input and waits.
    func request(_ asset: PHAsset, _ options: PHContentEditingInputRequestOptions? = nil) throws
        -> Answer
    {
        let found = Mutex<Answer?>(nil)
        let done = DispatchSemaphore(value: 0)
        asset.requestContentEditingInput(with: options) { input, info in
            let answer = Answer(input: input, info: info)
            found.withLock { $0 = answer }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        let answer = found.withLock { $0 }
        return try #require(answer)
    }

    func input(_ asset: PHAsset, handling identifier: String? = nil) throws
        -> PHContentEditingInput
    {
        let options = PHContentEditingInputRequestOptions()
        options.canHandleAdjustmentData = { $0.formatIdentifier == identifier }
        let answer = try request(asset, options)
        return try #require(answer.input, "\(answer.info)")
    }

    static func adjustments(_ text: String = "noir", of format: String = "test.editor")
        -> PHAdjustmentData
    {
        PHAdjustmentData(formatIdentifier: format, formatVersion: "1", data: Data(text.utf8))
    }

    /// Saves a rendered file as an edit, and returns the error if it fails.
    @discardableResult
    func save(
        _ rendering: URL?,
        of asset: PHAsset,
        _ adjustments: PHAdjustmentData? = adjustments(),
        as type: UTType? = nil,
        basedOn given: PHContentEditingInput? = nil
    ) throws -> PHPhotosError? {
        let input = try given ?? input(asset)
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = adjustments
        if let rendering {
            let target = try type.map(output.renderedContentURL(for:)) ?? output.renderedContentURL
            try FileManager.default.copyItem(at: rendering, to: target)
        }
        return world.failure {
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
    }

    /// Saves an invalid file, and expects an error and no change.
    func expectRefusal(
        of file: URL?,
        for asset: PHAsset,
        _ code: PHPhotosError.Code,
        adjustments: PHAdjustmentData? = adjustments(),
        as type: UTType? = nil,
        saying words: String
    ) throws {
        func state() throws -> [String] {
            let now = try world.now(asset)
            let resources = PHAssetResource.assetResources(for: now).map(\.description)
            return resources + editFiles.sorted() + [
                try originalsDigest(), "\(now.hasAdjustments) \(now.pixelWidth)",
            ]
        }
        let before = (try state(), data(asset), world.library.currentChangeToken)
        let error = try #require(try save(file, of: asset, adjustments, as: type))
        #expect(error.code == code, "\(error)")
        let text = "\(error)"
        #expect(text.contains(words), "\(text)")
        #expect(error.recoverySuggestion != nil, "\(text)")
        #expect(try state() == before.0, "\(text)")
        #expect(data(asset) == before.1, "\(text)")
        #expect(world.library.currentChangeToken == before.2, "\(text)")
        #expect(try findings() == [], "\(text)")
    }

    /// Returns the picture file of a version.
    func data(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion = .current) -> Data? {
        let options = PHImageRequestOptions()
        options.version = version
        options.isSynchronous = true
        var found: Data?
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
            data,
            _,
            _,
            _ in found = data.map { Data($0) }
        }
        return found
    }

    /// Returns the findings of `photos verify --full`.
    func findings() throws -> [String] {
        var found: [String] = []
        var options = LibraryCheck.Options()
        options.readsEverything = true
        _ = try LibraryCheck(library: world.bundle, options: options).run {
            found.append($0.message)
        }
        return found
    }

    /// The paths of all files in the library's edits.
    var editFiles: [String] {
        let root = world.bundle.url.appendingPathComponent("edits")
        return (FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? [])
            .filter { $0.contains(".") }
    }

    /// Returns the SHA-256 of all originals, by the system's own tool.
    func originalsDigest() throws -> String {
        let root = world.bundle.url.appendingPathComponent("originals").path
        return try Tool.run(
            "sh",
            ["-c", "cd \"$1\" && find . -type f | sort | xargs -d '\\n' sha256sum", "sh", root]
        )
    }
}
