import Foundation
import Photos
import PhotosManagement
import Testing

/// Behaviors of fetches, by their numbers in the list of PhotoKit's behaviors.
@Suite(.timeLimit(.minutes(2))) struct FetchBehaviourTests {
    private let library: RowsLibrary

    init() throws {
        library = try RowsLibrary.shared.get()
    }

    private func check(
        _ condition: String,
        orderedBy order: String = "creationDate, id",
        sourceLocation: SourceLocation = #_sourceLocation,
        _ configure: (PHFetchOptions) -> Void
    ) throws {
        let expected = try library.identifiers(where: condition, orderedBy: order)
        let found = try library.fetch(configure: configure).map(\.localIdentifier)
        #expect(found == expected, sourceLocation: sourceLocation)
        #expect(!expected.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("51, 53, 55, 60: plain fetches leave out what nobody asked for, oldest first")
    func plainFetch() throws {
        let plain = "trashedDate IS NULL AND isHidden = 0 AND sourceType = 1 AND isBurstHidden = 0"
        try check(plain) { _ in }
        let nothing = library.bundle.using { PHAsset.fetchAssets(with: nil) }
        #expect(nothing.count == (try library.fetch().count))
    }

    @Test("51: hidden assets come when asked for")
    func hiddenAssets() throws {
        try check("trashedDate IS NULL AND sourceType = 1 AND isBurstHidden = 0") {
            $0.includeHiddenAssets = true
        }
    }

    @Test("53, 54: all frames of bursts come when asked for")
    func bursts() throws {
        try check("trashedDate IS NULL AND sourceType = 1 AND isHidden = 0") {
            $0.includeAllBurstAssets = true
        }
        let options = PHFetchOptions()
        for includesAll in [false, true] {
            options.includeAllBurstAssets = includesAll
            let found = library.bundle.using {
                PHAsset.fetchAssets(withBurstIdentifier: "burst-3", options: options)
            }
            let expected = try library.identifiers(
                where: "burstIdentifier = 'burst-3' AND trashedDate IS NULL AND isHidden = 0 "
                    + "AND sourceType = 1" + (includesAll ? "" : " AND isBurstHidden = 0")
            )
            #expect(found.objects(at: IndexSet(0..<found.count)).map(\.localIdentifier) == expected)
        }
    }

    @Test("55: source types choose the source", arguments: [1, 2, 4, 3, 7] as [UInt])
    func sourceTypes(_ bits: UInt) throws {
        try check(
            "trashedDate IS NULL AND isHidden = 0 AND isBurstHidden = 0 AND sourceType & \(bits)"
        ) { $0.includeAssetSourceTypes = PHAssetSourceType(rawValue: bits) }
    }

    @Test("56: the limit applies after filtering and sorting", arguments: [1, 10, 599, 100_000])
    func limit(_ limit: Int) throws {
        let expected = try library.identifiers(
            where: "isVisible = 1 AND mediaType = 2",
            orderedBy: "duration DESC, id DESC LIMIT \(limit)"
        )
        let found = try library.fetch(
            NSPredicate(format: "mediaType == 2"),
            sort: [NSSortDescriptor(key: "duration", ascending: false)]
        ) { $0.fetchLimit = limit }
        #expect(found.map(\.localIdentifier) == expected)
    }

    @Test("52, 64: identifiers find hidden assets, each once, and drop unknown ones")
    func identifiers() throws {
        let hidden = try #require(
            try library.identifiers(where: "isHidden AND trashedDate IS NULL").first
        )
        let plain = try #require(try library.identifiers(where: "isVisible").last)
        let trashed = try #require(try library.identifiers(where: "trashedDate IS NOT NULL").first)
        let bare = String(plain.prefix(36))
        for names in [
            [hidden, plain], [plain, hidden, plain, "unknown", "", trashed, "x/L0/001"],
            [bare, hidden, plain],
        ] {
            let found = library.bundle.using {
                PHAsset.fetchAssets(withLocalIdentifiers: names, options: nil)
            }
            #expect(
                Set(found.objects(at: IndexSet(0..<found.count)).map(\.localIdentifier))
                    == [hidden, plain]
            )
            #expect(found.count == 2)
        }
        let none = library.bundle.using {
            PHAsset.fetchAssets(withLocalIdentifiers: [], options: nil)
        }
        #expect(none.count == 0)
    }

    @Test("23: objects that were fetched apart are equal")
    func equality() throws {
        let (one, two) = (try library.fetch(), try library.fetch())
        #expect(one == two)
        #expect(Set(one + two).count == one.count)
        #expect(one[0] != one[1])
        #expect(one[0] !== two[0])
    }

    @Test("47: index(of:) finds equal objects and says NSNotFound")
    func indexes() throws {
        let result = try library.bundle.fetchAssets(with: nil)
        let other = try library.fetch()
        for index in [0, 1, 255, 256, 300, result.count - 1] {
            #expect(result.index(of: other[index]) == index)
        }
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "mediaType == 2")
        let videos = try library.bundle.fetchAssets(with: options)
        let image = try #require(other.first { $0.mediaType == .image })
        #expect(videos.index(of: image) == NSNotFound)
        #expect(!videos.contains(image))
        #expect(videos.index(of: PHAsset()) == NSNotFound)
    }

    @Test("49: media types are counted")
    func counts() throws {
        let result = try library.bundle.fetchAssets(with: nil)
        for type in [PHAssetMediaType.unknown, .image, .video, .audio] {
            let expected = try library.identifiers(
                where: "isVisible = 1 AND mediaType = \(type.rawValue)"
            )
            #expect(result.countOfAssets(with: type) == expected.count)
            let fetched = library.bundle.using { PHAsset.fetchAssets(with: type, options: nil) }
            #expect(fetched.count == expected.count)
        }
    }

    @Test("Several sort descriptors count in their order, and ties are stable")
    func sorting() throws {
        let found = try library.fetch(sort: [
            NSSortDescriptor(key: "mediaType", ascending: false),
            NSSortDescriptor(keyPath: \PHAsset.rating, ascending: true),
            NSSortDescriptor(key: "isFavorite", ascending: false),
            NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: true),
        ])
        let expected = try library.identifiers(
            where: "isVisible = 1",
            orderedBy: "mediaType DESC, rating, isFavorite DESC, pixelWidth, id"
        )
        #expect(found.map(\.localIdentifier) == expected)
        #expect(
            try library.fetch().map(\.localIdentifier) == library.fetch().map(\.localIdentifier)
        )
    }

    @Test("Block, Swift and format predicates can be mixed")
    func mixedPredicates() throws {
        let wide = NSPredicate { object, _ in
            guard let asset = object as? PHAsset else { return false }
            return asset.pixelWidth > asset.pixelHeight
        }
        let long = NSPredicate(#Predicate<PHAsset> { $0.duration > 30 })
        let favourite = NSPredicate(format: "isFavorite == YES")
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: [
            favourite,
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                long, NSCompoundPredicate(notPredicateWithSubpredicate: wide),
            ]),
        ])
        let found = try library.fetch(
            all,
            sort: [NSSortDescriptor(key: "addedDate", ascending: false)]
        ) { $0.fetchLimit = 20 }
        let expected = try library.identifiers(
            where: "isVisible = 1 AND isFavorite AND (duration > 30 OR pixelWidth <= pixelHeight)",
            orderedBy: "addedDate DESC LIMIT 20"
        )
        #expect(found.map(\.localIdentifier) == expected)
        #expect(expected.count == 20)
    }

    @Test("Every property can be asked for in a Swift predicate")
    func swiftPredicates() throws {
        let video = PHAssetMediaType.video
        let style = PHAsset.PlaybackStyle.video
        let day = RowsLibrary.date(100)
        let predicate = #Predicate<PHAsset> { asset in
            asset.mediaType == video && asset.playbackStyle == style && !asset.isHidden
                && asset.duration > 10 && (asset.creationDate ?? day) > day
        }
        let found = try library.fetch(NSPredicate(predicate)).map(\.localIdentifier)
        let expected = try library.identifiers(
            where: "isVisible = 1 AND mediaType = 2 AND duration > 10 "
                + "AND creationDate > \(RowsLibrary.epoch + 100 * 86_400)"
        )
        #expect(found == expected)
    }
}
