import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization
import TestSupport
import Testing

@testable import PhotosGallery

/// Work that depends on the size of the library is done once for each of its versions.
///
/// What is counted are rows and searches, not time.
@Suite(.timeLimit(.minutes(3))) struct CountedOnceTests {
    private let world: GalleryWorld
    private let library: PhotoLibraryBundle

    init() throws {
        world = try GalleryWorld(photos: 4)
        library = try PhotoLibraryBundle.open(at: world.folder.file("A.photolibrary"))
    }

    private var identifiers: [String] {
        get throws { try library.fetchAssets(with: nil).all.map(\.localIdentifier) }
    }

    /// Changes a photo; its title is nothing that is counted.
    private func change(_ values: String...) throws {
        let title = ["--title", "Sea"]
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", try #require(try identifiers.first)] + (values.isEmpty ? title : values),
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    @Test func facetsAreSearchedOncePerRelevantChange() throws {
        let facets = FacetCache(library: library, showsHidden: true)
        let first = try facets.json()
        for _ in 0..<5 { #expect(try facets.json() == first) }
        #expect(facets.searchCount == 1)
        try change()
        try change("--favorite", "true")
        for _ in 0..<5 { #expect(try facets.json() == first) }
        #expect(facets.searchCount == 1)
        try change("--date", "1997-05-01T12:00:00+02:00")
        for _ in 0..<5 { #expect(try facets.json().contains("1997")) }
        #expect(facets.searchCount == 2)
    }

    @Test func filesAreMeasuredOncePerRelevantChange() throws {
        let view = try GalleryView(library: library, showsHidden: true, events: EventHub())
        let storage = StorageFigures(library: library)
        func expectCount() throws {
            let count = try library.fetchAssets(with: nil).count
            #expect(try storage.json(for: view).contains("\"assets\":\(count),"))
        }
        for _ in 0..<5 { try expectCount() }
        #expect(storage.enumerationCount == 1)
        try change()
        try change("--favorite", "true")
        for _ in 0..<5 { try expectCount() }
        #expect(storage.enumerationCount == 1)
        try change("--hidden", "true")
        for _ in 0..<5 { try expectCount() }
        #expect(storage.enumerationCount == 2)
    }

    @Test func duplicatesAreFetchedOncePerVersion() throws {
        let group = try identifiers
        try #require(group.count > 1)
        let duplicates = DuplicatesJob(library: library, events: EventHub())
        duplicates.keep([group])
        for _ in 0..<5 { #expect(duplicates.count == group.count - 1) }
        #expect(duplicates.fetchedPhotos == group.count)
        try change()
        for _ in 0..<5 { #expect(duplicates.count == group.count - 1) }
        #expect(duplicates.fetchedPhotos == 2 * group.count)
        // Another search has other groups at the same version.
        duplicates.keep([])
        #expect(duplicates.count == 0)
    }

    @Test func aFailedFetchOfDuplicatesIsRepeated() throws {
        let group = try identifiers
        let calls = Calls()
        let duplicates = DuplicatesJob(library: library, events: EventHub()) { [library] names in
            guard calls.count.add(1, ordering: .relaxed).oldValue > 0 else { throw Unreadable() }
            return try library.fetchAssets(withLocalIdentifiers: names).all
        }
        duplicates.keep([group])
        #expect(duplicates.count == nil)
        #expect(duplicates.count == group.count - 1)
    }

    @Test func requestsAtTheSameTimeShareOneList() throws {
        let lists = ListStore(library: library, events: EventHub())
        let names = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let list = try? lists.list(.first, duplicates: [])
            names.withLock { _ = $0.insert(list?.name ?? "none") }
        }
        #expect(names.withLock(\.self).count == 1)
        #expect(!names.withLock(\.self).contains("none"))
    }
}

/// The number of calls of a closure.
private final class Calls: Sendable {
    let count = Atomic(0)
}

/// The error of a library that cannot be read.
private struct Unreadable: Error {}
