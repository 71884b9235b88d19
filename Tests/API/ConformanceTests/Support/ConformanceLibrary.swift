import Foundation
import Photos
import PhotosManagement
import TestSupport

/// A library of separately imported files, so that none is paired with another.
final class ConformanceLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    /// For each file, in order, its asset or the reason that it has none.
    let results: [Result<PHAsset, ImportFailure>]
    private let folder: TemporaryFolder

    /// The reason that a file is not an asset.
    struct ImportFailure: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    init(_ files: [URL]) throws {
        folder = try TemporaryFolder("photos-conformance")
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", BuiltProducts.worker.path, 1)
        let url = folder.file("Conformance.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        bundle = try PhotoLibraryBundle.open(at: url)
        // Separate folders prevent pairing by file names.
        for (index, file) in files.enumerated() {
            let place = try folder.folder("in/\(index)")
            try FileManager.default.copyItem(
                at: file,
                to: place.appendingPathComponent(file.lastPathComponent)
            )
        }
        var outcomes: [Int: FileOutcome] = [:]
        let paths = [SourcePath(folder.file("in").path)]
        _ = try LibraryImport(library: bundle, paths: paths).run { event in
            guard case .outcome(let outcome) = event else { return }
            let parts = outcome.path.description.split(separator: "/")
            if let index = parts.dropLast().last.flatMap({ Int($0) }) { outcomes[index] = outcome }
        }
        let library = bundle
        results = files.indices.map { Self.result(outcomes[$0], library) }
        try FileManager.default.removeItem(at: folder.file("in"))
    }

    private static func result(
        _ outcome: FileOutcome?,
        _ library: PhotoLibraryBundle
    ) -> Result<PHAsset, ImportFailure> {
        guard let outcome else { return .failure(ImportFailure(description: "it has no outcome")) }
        // A duplicate stands in for its file; a paired asset shows another file.
        guard [.imported, .duplicate].contains(outcome.kind),
            let identifier = outcome.localIdentifier
        else {
            let reason = outcome.reason ?? "it is \(outcome.kind.rawValue)"
            return .failure(ImportFailure(description: reason))
        }
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let asset = library.using {
            PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).firstObject
        }
        guard let asset else { return .failure(ImportFailure(description: "it can't be fetched")) }
        return .success(asset)
    }
}
