import Foundation
import PhotoModel
import Photos
import PhotosManagement
import SamplePhotos
import TestSupport

/// A library whose originals are malformed files, as a failing disk or a faulty program leaves
/// them.
///
/// The import rejects most of them. Intact files are therefore imported, and then the bytes of
/// their originals are replaced: each file becomes the original of a still and of a movie.
final class PlantedLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    /// The assets of the files, in their order.
    let stills: [PHAsset]
    let movies: [PHAsset]
    private let folder: TemporaryFolder

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ files: [URL]) throws {
        folder = try TemporaryFolder("photos-planted")
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", BuiltProducts.worker.path, 1)
        let url = folder.file("Planted.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        bundle = try PhotoLibraryBundle.open(at: url)
        let size = PixelSize(width: 400, height: 300)
        let still = try SampleFile.jpeg(SamplePhoto(size: size))
        let movie = try SampleFile.quickTime(SampleMovie(size: size, duration: 0.2))
        for (index, file) in files.enumerated() {
            let name = file.lastPathComponent
            // The bytes after the end differ, so that no two files are duplicates.
            try folder.write(still + Data("\(index)".utf8), to: "in/\(index)/\(name).jpg")
            try folder.write(movie + Self.space(index), to: "in/\(index)/\(name).movie.mov")
        }
        var assets: [String: PHAsset] = [:]
        let library = bundle
        let paths = [SourcePath(folder.file("in").path)]
        _ = try LibraryImport(library: library, paths: paths).run { event in
            guard case .outcome(let outcome) = event else { return }
            guard outcome.kind == .imported, let identifier = outcome.localIdentifier else {
                throw Failure(
                    description: "\(outcome.path): \(outcome.reason ?? "\(outcome.kind)")"
                )
            }
            let name = outcome.path.lastComponent.description
            assets[name] = library.using {
                PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
            }
        }
        var statements = ""
        func planted(_ suffix: String) throws -> [PHAsset] {
            try files.map { file in
                guard let asset = assets[file.lastPathComponent + suffix] else {
                    throw Failure(description: "There is no asset for \(file.lastPathComponent).")
                }
                statements += try Self.replace(asset, by: file, in: url)
                return asset
            }
        }
        stills = try planted(".jpg")
        movies = try planted(".movie.mov")
        // A file whose size differs from its row is rejected before it is read.
        let database = url.path + "/database/library.sqlite"
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-bail", "-cmd", ".timeout 20000", database, statements]
        )
        guard output.status == 0 else { throw Failure(description: output.errorText) }
    }

    /// Returns a box that readers skip.
    private static func space(_ index: Int) -> Data {
        let text = Data("\(index)".utf8)
        let length = UInt32(8 + text.count).bigEndian
        return withUnsafeBytes(of: length) { Data($0) } + Data("free".utf8) + text
    }

    /// Replaces an original by a file.
    ///
    /// - Returns: The statement that records its size in the library.
    private static func replace(
        _ asset: PHAsset,
        by file: URL,
        in library: URL
    ) throws -> String {
        let resource = PHAssetResource.assetResources(for: asset).first
        guard let original = resource?.value(forKey: "fileURL") as? URL else {
            throw Failure(description: "\(asset.localIdentifier) has no file.")
        }
        try FileManager.default.removeItem(at: original)
        try FileManager.default.copyItem(at: file, to: original)
        let size = try Data(contentsOf: file).count
        let name = original.lastPathComponent
        return "UPDATE resource SET size = \(size) WHERE path LIKE '%/\(name)';"
    }
}
