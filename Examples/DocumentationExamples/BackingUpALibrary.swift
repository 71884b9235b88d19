import Foundation
import Photos
import PhotosManagement

// The code in the article "Backing up a library".

func backUp(_ library: PhotoLibraryBundle, to url: URL) throws -> Bool {
    let backup = LibraryBackup(of: library.url, to: url)
    let summary = try backup.run { problem in
        print("\(problem.message) \(problem.advice)")
    }
    print("\(summary.copiedFiles) of \(summary.files) files copied")
    return summary.problems == 0
}
