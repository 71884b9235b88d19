import Foundation
import Photos
import PhotosManagement
import Synchronization
import TestSupport
import Testing

@testable import PhotosGallery

/// A list that is made while the library changes.
@Suite(.timeLimit(.minutes(2))) struct ListStoreTests {
    private let world: GalleryWorld
    private let library: PhotoLibraryBundle
    private let fetches = Fetches()

    init() throws {
        world = try GalleryWorld(photos: 8)
        library = try PhotoLibraryBundle.open(at: world.folder.file("A.photolibrary"))
    }

    /// Returns a store in which a photo is hidden after each of the first fetches, when no list is
    /// stored yet that could be told of it.
    private func store(changes: Int) -> ListStore {
        ListStore(library: library, events: EventHub()) { [library, fetches] query, duplicates in
            let result = try query.fetch(in: library, duplicates: duplicates)
            let number = fetches.count.add(1, ordering: .relaxed).oldValue
            if number < changes, let photo = result.firstObject {
                try library.commitChanges {
                    PHAssetChangeRequest(for: photo).isHidden = true
                }
            }
            return result
        }
    }

    @Test func aChangeAfterTheFetchIsInTheList() throws {
        let lists = store(changes: 1)
        let list = try lists.list(.first, duplicates: [])
        #expect(try list.latest.result.count == library.fetchAssets(with: nil).count)
        #expect(fetches.count.load(ordering: .relaxed) == 2)
        // The next request gets the same list, and it is the only one.
        #expect(try lists.list(.first, duplicates: []).name == list.name)
        #expect(lists.living().map(\.name) == [list.name])
        #expect(fetches.count.load(ordering: .relaxed) == 2)
    }

    @Test func aLibraryThatKeepsChangingDelaysAListForALimitedTime() throws {
        let lists = store(changes: .max)
        let list = try lists.list(.first, duplicates: [])
        #expect(fetches.count.load(ordering: .relaxed) == 3)
        #expect(lists.living().map(\.name) == [list.name])
    }
}

/// The number of fetches.
private final class Fetches: Sendable {
    let count = Atomic(0)
}
