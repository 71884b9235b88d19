import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct PHPhotoLibraryTests {
    @Test("18: shared() is one object")
    func sharedIsOneObject() async throws {
        let library = try RowsLibrary.shared.get()
        await library.bundle.using {
            let shared = PHPhotoLibrary.shared()
            #expect(shared === PHPhotoLibrary.shared())
            #expect(shared.unavailabilityReason == nil)
            await Task { #expect(PHPhotoLibrary.shared() === shared) }.value
        }
    }

    @Test func librariesOfOneProcessAreApart() throws {
        let (rows, files) = (try RowsLibrary.shared.get(), try FilesLibrary.shared.get())
        let row = try #require(try rows.fetch().first)
        let count = files.bundle.using { PHAsset.fetchAssets(with: nil).count }
        let others = try rows.fetch().count
        #expect(count > 0 && count != others)
        files.bundle.using {
            #expect(
                PHAsset.fetchAssets(withLocalIdentifiers: [row.localIdentifier], options: nil).count
                    == 0
            )
        }
    }

    @Test("20: held objects never change, and results outlive what opened them")
    func snapshots() throws {
        let folder = try Folder()
        let url = folder.file("Short.photolibrary")
        _ = try RowsLibrary.shared.get()
        try PhotoLibraryBundle.create(at: url)
        let result = try PhotoLibraryBundle.open(at: url).fetchAssets(with: nil)
        #expect(result.count == 0)
        #expect(result.firstObject == nil)
    }
}
