import Foundation
import Photos
import PhotosManagement
import TestSupport
import Testing

@testable import PhotosGallery

/// A session that may not see hidden photos receives no figures from before a photo was hidden,
/// also if new ones take longer than a request waits for them.
@Suite(.timeLimit(.minutes(2))) struct FormerFiguresTests {
    private let world: GalleryWorld
    private let library: PhotoLibraryBundle
    private let unhidden: PhotoLibraryBundle

    init() throws {
        world = try GalleryWorld(photos: 6)
        library = try PhotoLibraryBundle.open(at: world.folder.file("A.photolibrary"))
        unhidden = try library.withoutHidden()
    }

    /// Hides a photo with a date, as another program does.
    private func hide() throws {
        let dated = try library.fetchAssets(with: nil).all.first { $0.creationDate != nil }
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", try #require(dated).localIdentifier, "--hidden", "true"],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    @Test func facetsAreFoundAgainFirst() throws {
        defer { unhidden.close() }
        let facets = FacetCache(library: unhidden, showsHidden: false, patience: .zero)
        let before = try facets.json()
        try hide()
        let after = try facets.json()
        #expect(after != before)
        #expect(try after == FacetCache(library: unhidden, showsHidden: false).json())
    }

    @Test func filesAreMeasuredAgainFirst() throws {
        defer { unhidden.close() }
        let view = try GalleryView(library: unhidden, showsHidden: false, events: EventHub())
        func originals(_ storage: StorageFigures) throws -> Int {
            let json = Data(try storage.json(for: view).utf8)
            let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
            return try #require(object?["originals"] as? Int)
        }
        let storage = StorageFigures(library: library, patience: .zero)
        let before = try originals(storage)
        try hide()
        let after = try originals(storage)
        #expect(after < before)
        #expect(try after == originals(StorageFigures(library: library)))
    }
}
