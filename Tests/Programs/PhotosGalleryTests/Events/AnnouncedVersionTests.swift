import Foundation
import Photos
import PhotosManagement
import Synchronization
import TestSupport
import Testing

@testable import PhotosGallery

/// The version that the gallery announces is that of its lists.
@Suite(.timeLimit(.minutes(2))) struct AnnouncedVersionTests {
    private let folder: TemporaryFolder
    private let library: PhotoLibraryBundle

    init() throws {
        folder = try TemporaryFolder("photos-gallery-test")
        let url = folder.file("A.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        library = try PhotoLibraryBundle.open(at: url)
    }

    /// Changes the library when it is first notified of a change.
    private final class Committer: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
        private let library: PhotoLibraryBundle
        private let hasCommitted = Atomic(false)

        init(_ library: PhotoLibraryBundle) {
            self.library = library
            super.init()
        }

        func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
            guard !hasCommitted.exchange(true, ordering: .relaxed) else { return }
            try? AnnouncedVersionTests.makeAlbum("Second", in: library)
        }
    }

    /// Reports the announced version after each notification of the follower.
    private final class Listener: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
        private let follower: LibraryFollower
        private let versions: AsyncStream<Int64>.Continuation

        init(_ follower: LibraryFollower, _ versions: AsyncStream<Int64>.Continuation) {
            self.follower = follower
            self.versions = versions
            super.init()
        }

        func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
            versions.yield(follower.announced)
        }
    }

    private static func makeAlbum(_ title: String, in library: PhotoLibraryBundle) throws {
        try library.commitChanges {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
        }
    }

    @Test func aCommitDuringTheNotificationIsAnnouncedByTheNext() async throws {
        let view = try GalleryView(library: library, showsHidden: true, events: EventHub())
        let (stream, continuation) = AsyncStream.makeStream(of: Int64.self)
        let committer = Committer(library)
        let listener = Listener(view.follower, continuation)
        let photos = library.photoLibrary
        // Observers are notified in the order of their registration.
        photos.register(committer as any PHPhotoLibraryPersistentChangesObserver)
        view.follower.start()
        photos.register(listener as any PHPhotoLibraryPersistentChangesObserver)
        let start = try library.version
        try Self.makeAlbum("First", in: library)
        var versions = stream.makeAsyncIterator()
        let first = await versions.next()
        #expect(first == start + 1)
        let second = await versions.next()
        #expect(second == start + 2)
        #expect(library.notifiedVersion == start + 2)
        view.follower.stop()
        withExtendedLifetime((committer, listener)) {}
    }
}
