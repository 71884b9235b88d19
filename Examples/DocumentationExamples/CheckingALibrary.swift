import Foundation
import Photos
import PhotosManagement

// The code in the article "Checking a library".

func check(_ library: PhotoLibraryBundle) throws -> Bool {
    var options = LibraryCheck.Options()
    options.readsEverything = true
    let summary = try LibraryCheck(library: library, options: options).run { finding in
        print("\(finding.severity): \(finding.message) \(finding.advice)")
    }
    return summary.damages == 0
}

func open(at url: URL) -> PhotoLibraryBundle? {
    do {
        return try PhotoLibraryBundle.open(at: url)
    } catch {
        let failure = LibraryFailure(error)
        switch failure.kind {
        case .libraryMissing: print("There is no library yet.")
        case .volumeMissing: print("Connect the disk that contains it.")
        default: print(failure)
        }
        return nil
    }
}
