import Foundation
import Photos
import PhotosManagement

// The code in the article "Fetching assets".

func countsOfAYear() {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(
        format: "creationDate >= %@ AND creationDate < %@ AND NOT favorite == YES",
        Date(timeIntervalSince1970: 1_704_067_200) as NSDate,
        Date(timeIntervalSince1970: 1_735_689_600) as NSDate
    )
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    let result = PHAsset.fetchAssets(with: options)
    print(result.count, "assets,", result.countOfAssets(with: .video), "of them movies")
}

func panoramas() {
    let options = PHFetchOptions()
    let panorama = PHAssetMediaSubtype.photoPanorama.rawValue
    options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "(mediaSubtypes & %d) != 0", panorama),
        NSPredicate { object, _ in ((object as? PHAsset)?.pixelWidth ?? 0) > 5_000 },
    ])
    let result = PHAsset.fetchAssets(with: options)
    for index in 0..<result.count { print(result[index].localIdentifier) }
}

func reasonForAnEmptyResult(options: PHFetchOptions) {
    do {
        let library = try PhotoLibraryBundle.open(at: PhotoLibraryBundle.defaultURL)
        print(try library.fetchAssets(with: options).count)
    } catch {
        print(LibraryFailure(error))
    }
}
