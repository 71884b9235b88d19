import Foundation
import Photos
import PhotosManagement
import Testing

/// Bursts through the public API: behaviors 33, 34, 53 and 54; pains 16.
@Suite(.timeLimit(.minutes(2))) struct BurstTests {
    private let world: ChangeWorld

    /// Creates six photos, of which 2 to 5 are a burst with the key frame 3.
    init() throws {
        world = try ChangeWorld(
            photos: 6,
            sql: """
                UPDATE asset SET burstIdentifier = 'B', representsBurst = id = 3,
                    burstSelectionTypes = id = 3, isBurstHidden = id <> 3, isVisible = id = 3
                WHERE id BETWEEN 2 AND 5;
                """
        )
    }

    private var everything: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        return options
    }

    private func asset(_ number: Int) throws -> PHAsset {
        let all = world.bundle.using { PHAsset.fetchAssets(with: everything) }
        return try #require(all.all.first { $0.number == number })
    }

    private func burst(_ options: PHFetchOptions? = nil) -> [Int] {
        world.bundle.using {
            PHAsset.fetchAssets(withBurstIdentifier: "B", options: options)
        }.all.map(\.number)
    }

    private func smartAlbum(_ subtype: PHAssetCollectionSubtype) throws -> PHAssetCollection {
        try #require(
            world.bundle.using {
                PHAssetCollection.fetchAssetCollections(
                    with: .smartAlbum,
                    subtype: subtype,
                    options: nil
                ).firstObject
            }
        )
    }

    /// Returns every fetch that may return all six, or three without the unpicked frames.
    private func fetches(_ options: PHFetchOptions?) throws -> [(String, PHFetchResult<PHAsset>)] {
        let album = try #require(world.albums.first)
        let smart = try smartAlbum(.smartAlbumUserLibrary)
        return world.bundle.using {
            [
                ("all", PHAsset.fetchAssets(with: options)),
                ("images", PHAsset.fetchAssets(with: .image, options: options)),
                ("album", PHAsset.fetchAssets(in: album, options: options)),
                ("smart album", PHAsset.fetchAssets(in: smart, options: options)),
            ]
        }
    }

    @Test("A burst of four yields four with the option and one without, in every fetch")
    func everyFetchHonoursTheOption() throws {
        try world.album("All", with: try (1...6).map(asset))
        for (name, result) in try fetches(nil) {
            #expect(result.all.map(\.number) == [1, 3, 6], "\(name)")
            #expect(result.countOfAssets(with: .image) == 3, "\(name)")
        }
        for (name, result) in try fetches(everything) {
            #expect(result.all.map(\.number) == [1, 2, 3, 4, 5, 6], "\(name)")
        }
        #expect(burst() == [3])
        #expect(burst(everything) == [2, 3, 4, 5])
        let bursts = try smartAlbum(.smartAlbumBursts)
        #expect(bursts.estimatedAssetCount == 1)
        #expect(PHAsset.fetchAssets(in: bursts, options: nil).all.map(\.number) == [3])
        #expect(PHAsset.fetchAssets(in: bursts, options: everything).count == 4)
        #expect(try #require(world.albums.first).estimatedAssetCount == 3)
        // A fetch by identifiers returns the frames.
        let names = try (2...5).map { try asset($0).localIdentifier }
        let named = world.bundle.using {
            PHAsset.fetchAssets(withLocalIdentifiers: names, options: nil)
        }
        #expect(named.count == 4)
    }

    @Test("A person's pick shows, stands for the burst, and can be taken back")
    func picks() throws {
        let fifth = try asset(5)
        #expect(try asset(3).burstSelectionTypes == .autoPick)
        try world.change { PHAssetChangeRequest(for: fifth).isBurstPick = true }
        #expect(try asset(5).burstSelectionTypes == .userPick)
        #expect(try asset(3).burstSelectionTypes == .autoPick)
        #expect(try asset(5).representsBurst)
        #expect(try !asset(3).representsBurst)
        // The system's pick is still visible.
        #expect(burst() == [3, 5])
        let second = try asset(2)
        try world.change {
            let request = PHAssetChangeRequest(for: second)
            #expect(!request.isBurstPick)
            request.isBurstPick = true
            #expect(request.isBurstPick)
        }
        // All picks are visible, and one of the user's picks represents the burst.
        #expect(burst() == [2, 3, 5])
        let keys = try (2...5).map(asset).filter(\.representsBurst)
        #expect(keys.count == 1 && [2, 5].contains(keys.first?.number ?? 0))
        try world.change {
            PHAssetChangeRequest(for: second).isBurstPick = false
            PHAssetChangeRequest(for: fifth).isBurstPick = false
        }
        #expect(burst().count == 1)
        #expect(try (2...5).allSatisfy { try asset($0).burstSelectionTypes != .userPick })
    }

    @Test("Only frames of bursts can be picked")
    func othersCannotBePicked() throws {
        let first = try asset(1)
        let error = world.failure { PHAssetChangeRequest(for: first).isBurstPick = true }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.localizedDescription.contains(first.localIdentifier) == true)
    }

    @Test("Deleting the key frame picks another, and restoring it leaves one")
    func deletingTheKeyFrame() throws {
        let key = try asset(3)
        try world.change { PHAssetChangeRequest.deleteAssets([key]) }
        let shown = burst()
        #expect(shown.count == 1 && shown != [3])
        #expect(burst(everything) == [2, 4, 5])
        #expect(try asset(shown[0]).burstSelectionTypes == .autoPick)
        try world.bundle.restore([key])
        #expect(burst() == shown)
        #expect(burst(everything) == [2, 3, 4, 5])
        let frames = try (2...5).map(asset)
        try world.change { PHAssetChangeRequest.deleteAssets(frames) }
        #expect(burst(everything).isEmpty)
        #expect(try smartAlbum(.smartAlbumBursts).estimatedAssetCount == 0)
    }

    @Test("Predicates, sort descriptors and fetches agree that a frame left alone is in no burst")
    func aLoneFrameIsInNoBurst() throws {
        let others = try (2...4).map(asset)
        try world.change { PHAssetChangeRequest.deleteAssets(others) }
        let last = try asset(5)
        #expect(last.burstIdentifier == nil)
        let formats = [
            ("burstIdentifier == nil", true), ("burstIdentifier != nil", false),
            ("burstIdentifier == 'B'", false), ("burstIdentifier != 'B'", true),
            ("NOT (burstIdentifier == 'B')", true), ("burstIdentifier ==[c] 'b'", false),
            ("burstIdentifier IN {'A', 'B'}", false),
            ("burstIdentifier BEGINSWITH 'B'", false), ("'B' == burstIdentifier", false),
        ]
        for (format, isFound) in formats {
            let options = everything
            options.predicate = NSPredicate(format: format)
            let found = world.bundle.using { PHAsset.fetchAssets(with: options) }.all
            #expect(found.contains(last) == isFound, "\(format)")
        }
        #expect(burst(everything).isEmpty)
        let options = everything
        options.sortDescriptors = [
            NSSortDescriptor(key: "burstIdentifier", ascending: false),
            NSSortDescriptor(key: "creationDate", ascending: true),
        ]
        let sorted = world.bundle.using { PHAsset.fetchAssets(with: options) }.all
        #expect(sorted.map(\.number) == [1, 5, 6])
    }

    @Test("Frames of a burst are found by its identifier")
    func framesAreFoundByTheirBurst() throws {
        for format in ["burstIdentifier == 'B'", "burstIdentifier IN {'A', 'B'}"] {
            let options = everything
            options.predicate = NSPredicate(format: format)
            let found = world.bundle.using { PHAsset.fetchAssets(with: options) }.all
            #expect(found.map(\.number) == [2, 3, 4, 5], "\(format)")
        }
    }
}
