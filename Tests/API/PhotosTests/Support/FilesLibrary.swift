import Foundation
import Photos
import PhotosManagement

/// A library with real files: the samples that the package draws, imported through the public API.
final class FilesLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    /// The outcome of each file.
    let outcomes: [FileOutcome]
    private let folder: Folder

    /// The library of all suites, which do not change it.
    static let shared = Result { try FilesLibrary() }

    private init() throws {
        folder = try Folder()
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", Tool.executable("photos-worker"), 1)
        let samples = folder.file("samples")
        _ = try Tool.run(
            Tool.executable("photos-samples"),
            ["--out", samples.path, "--count", "45", "--megapixels", "0.1"]
        )
        let url = folder.file("Files.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        bundle = try PhotoLibraryBundle.open(at: url)
        var outcomes: [FileOutcome] = []
        _ = try LibraryImport(library: bundle, paths: [SourcePath(samples.path)]).run { event in
            if case .outcome(let outcome) = event { outcomes.append(outcome) }
        }
        self.outcomes = outcomes
    }

    /// Fetches every asset, including hidden ones and all frames of bursts.
    func assets() throws -> [PHAsset] {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let result = try bundle.fetchAssets(with: options)
        return result.objects(at: IndexSet(integersIn: 0..<result.count))
    }

    /// Returns the file of a movie that the package drew.
    func sampleMovie() throws -> URL? {
        let video = try assets().first { $0.mediaType == .video }
        let resource = video.flatMap { PHAssetResource.assetResources(for: $0).first }
        return resource?.value(forKey: "fileURL") as? URL
    }
}
