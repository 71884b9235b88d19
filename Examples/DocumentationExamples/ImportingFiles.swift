import Foundation
import Photos
import PhotosManagement

// The code in the article "Importing files".

func importCard(at card: String, into bundle: URL) throws {
    let library = try PhotoLibraryBundle.openOrCreate(at: bundle)
    let summary = try LibraryImport(library: library, paths: [SourcePath(card)])
        .run { event in
            guard case .outcome(let outcome) = event else { return }
            switch outcome.kind {
            case .imported, .paired, .duplicate:
                print(outcome.path, outcome.localIdentifier ?? "")
            case .unsupported, .failed, .missing:
                print(outcome.path, outcome.reason ?? "")
            }
        }
    print(summary.counts[.imported] ?? 0, "new assets")
}

func importUntilStopped(
    library: PhotoLibraryBundle,
    paths: [SourcePath],
    control: OperationControl
) throws {
    var options = LibraryImport.Options()
    options.countsAhead = true
    let summary = try LibraryImport(
        library: library,
        paths: paths,
        options: options,
        control: control
    ).run { progress in
        print(progress.files, "of", progress.isTotalKnown ? "\(progress.totalFiles)" : "many")
    } handler: { _ in
    }
    if summary.wasStopped { print("Run it again to continue.") }
}

func planImport(of paths: [SourcePath]) throws {
    let plan = try PhotoLibraryBundle.openPlan(of: PhotoLibraryBundle.defaultURL)
    let planned = try LibraryImport(library: plan, paths: paths).run { _ in }
    print(planned.counts[.imported] ?? 0, "new assets")
    plan.close()
}
