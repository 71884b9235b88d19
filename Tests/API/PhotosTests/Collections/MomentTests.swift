import Foundation
import Photos
import PhotosManagement
import Testing

/// Moments, clusters and years through the public API (behavior 35, 73, 74, 78).
@Suite(.timeLimit(.minutes(2))) struct MomentTests {
    private let world: ChangeWorld
    private let day: Date

    /// Creates three photos in Munich on a day in May 2024, one of them hidden, and three others.
    ///
    /// One of those is from the evening of that day without a place, one is from 2023, and one is
    /// in Recently Deleted.
    init() throws {
        world = try ChangeWorld(photos: 6)
        day = try #require(try? Date("2024-05-03T10:00:00Z", strategy: .iso8601))
        let photos = world.assets.sorted { $0.number < $1.number }
        let dates = [0, 3_600, 7_200, 8 * 3_600 + 3_000, -365 * 86_400, 1_800].map { day + $0 }
        let place = CLLocation(latitude: 48.137, longitude: 11.575)
        try world.change {
            for (photo, date) in zip(photos, dates) {
                let request = PHAssetChangeRequest(for: photo)
                request.creationDate = date
                if photo.number <= 3 { request.location = place }
                if photo.number == 2 { request.isHidden = true }
            }
            PHAssetChangeRequest.deleteAssets([photos[5]])
        }
    }

    private var moments: [PHAssetCollection] {
        world.bundle.using { PHAssetCollection.fetchMoments(with: nil) }.all
    }

    private func lists(_ subtype: PHCollectionListSubtype) -> [PHCollectionList] {
        world.bundle.using { PHCollectionList.fetchMomentLists(with: subtype, options: nil) }.all
    }

    @Test("Moments have the visible assets of a place and a part of a day")
    func members() throws {
        #expect(moments.map(world.numbers) == [[5], [1, 3], [4]])
        #expect(moments.map(\.estimatedAssetCount) == [1, 2, 1])
        let moment = moments[1]
        #expect(moment.startDate == day)
        #expect(moment.endDate == day + 7_200)
        #expect(moment.assetCollectionType == .moment)
        #expect(moment.localIdentifier.hasSuffix("/L0/060"))
        #expect(moment.canContainAssets && !moment.canContainCollections)
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let all = PHAsset.fetchAssets(in: moment, options: options).all
        #expect(all.map(\.number) == [1, 3])
        let keys = PHAsset.fetchKeyAssets(in: moment, options: options)?.all
        #expect(keys?.map(\.number) == [1, 3])
    }

    @Test("They are called by their place, and by their date where none is known")
    func titles() throws {
        #expect(moments[1].localizedTitle == "Munich, Bavaria")
        #expect(moments[1].localizedLocationNames.prefix(2) == ["Munich", "Bavaria"])
        #expect(moments[1].localizedLocationNames.count == 3)
        let place = try #require(moments[1].approximateLocation)
        #expect(abs(place.coordinate.latitude - 48.137) < 1e-6)
        #expect(abs(place.coordinate.longitude - 11.575) < 1e-6)
        #expect(moments[2].localizedTitle?.contains("2024") == true)
        #expect(moments[2].localizedLocationNames == [])
        #expect(moments[2].approximateLocation == nil)
    }

    @Test("Moments are in clusters, and both in years")
    func levels() throws {
        let years = lists(.momentListYear)
        #expect(years.map(\.localizedTitle) == ["2023", "2024"])
        let clusters = lists(.momentListCluster)
        #expect(clusters.count == 2)
        #expect(clusters.last?.localizedTitle == "Munich, Bavaria")
        for list in years + clusters {
            #expect(list.collectionListType == .momentList)
            #expect(list.localIdentifier.hasSuffix("/L0/080"))
        }
        #expect(years[1].collectionListSubtype == .momentListYear)
        #expect(clusters[1].collectionListSubtype == .momentListCluster)
        #expect(years[1].startDate == day)
        #expect(years[1].endDate == day + 8 * 3_600 + 3_000)
        for list in [years[1], clusters[1]] {
            let inside = PHAssetCollection.fetchMoments(inMomentList: list, options: nil).all
            #expect(inside == Array(moments.dropFirst()))
            // A year contains its clusters, which contain the moments.
            let children = PHCollection.fetchCollections(in: list, options: nil).all
            let expected: [PHCollection] = list == years[1] ? [clusters[1]] : inside
            #expect(children == expected)
            let found = PHCollectionList.fetchMomentLists(
                with: list.collectionListSubtype,
                containingMoment: moments[2],
                options: nil
            )
            #expect(found.all == [list])
        }
        let both = PHCollectionList.fetchCollectionListsContaining(moments[0], options: nil).all
        #expect(Set(both) == [years[0], clusters[0]])
        #expect(lists(.any).count == 4)
        #expect(lists(.regularFolder).isEmpty)
        let typed = world.bundle.using {
            PHCollectionList.fetchCollectionLists(
                with: .momentList,
                subtype: .momentListYear,
                options: nil
            )
        }
        #expect(typed.all == years)
    }

    @Test("They are found by asset, by type and by identifier")
    func finding() throws {
        let asset = try #require(PHAsset.fetchAssets(in: moments[1], options: nil).firstObject)
        let holding = PHAssetCollection.fetchAssetCollectionsContaining(
            asset,
            with: .moment,
            options: nil
        )
        #expect(holding.all == [moments[1]])
        let hidden = try #require(world.assets.first { $0.isHidden })
        let none = PHAssetCollection.fetchAssetCollectionsContaining(
            hidden,
            with: .moment,
            options: nil
        )
        #expect(none.count == 0)
        let album = try world.album()
        world.bundle.using {
            let typed = PHAssetCollection.fetchAssetCollections(
                with: .moment,
                subtype: .any,
                options: nil
            )
            #expect(typed.all == moments)
            let wanted = [moments[2], album, moments[0]].map(\.localIdentifier)
            let named = PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: wanted,
                options: nil
            )
            #expect(named.all.map(\.localIdentifier) == wanted)
            let years = lists(.momentListYear)
            let lists = PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: years.map(\.localIdentifier) + wanted,
                options: nil
            )
            #expect(lists.all == years)
        }
    }

    @Test(
        "Every property of a moment is a key",
        arguments: [
            ("localizedTitle BEGINSWITH 'Munich'", 1), ("estimatedAssetCount > 1", 1),
            ("startDate < CAST('2024-01-01', 'NSDate')", 1), ("approximateLocation != nil", 1),
            ("localizedLocationNames CONTAINS 'Bavaria'", 1), ("assetCollectionType == 3", 3),
            ("localIdentifier ENDSWITH '/L0/060'", 3), ("endDate != nil", 3),
            ("canContainAssets == YES", 3),
        ]
    )
    func keys(_ format: String, count: Int) {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: format)
        options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
        let found = world.bundle.using { PHAssetCollection.fetchMoments(with: options) }
        #expect(found.count == count)
        let titles = found.all.compactMap(\.localizedTitle)
        #expect(titles == titles.sorted())
    }

    @Test("They can only be read")
    func readOnly() throws {
        let operations = [
            PHCollectionEditOperation.delete, .rename, .addContent, .removeContent,
            .createContent, .rearrangeContent,
        ]
        for operation in operations {
            #expect(!moments[0].canPerform(operation))
            #expect(!lists(.momentListYear)[0].canPerform(operation))
        }
        #expect(moments[0].modificationDate == nil)
        let moment = moments[0]
        var isRefused = false
        let error = world.failure {
            let request = PHAssetCollectionChangeRequest(for: moment)
            request?.title = "Another"
            isRefused = request == nil
        }
        #expect(error != nil || isRefused)
        #expect(moments[0] == moment)
    }

    @Test("Change details follow them")
    func changes() throws {
        let before = world.bundle.using { PHAssetCollection.fetchMoments(with: nil) }
        let kept = before[1]
        let change = try Observed.change(in: world) {
            let hidden = try #require(world.assets.first { $0.isHidden })
            try world.change { PHAssetChangeRequest(for: hidden).isHidden = false }
        }
        let details = try #require(change.changeDetails(for: before))
        #expect(details.changedIndexes == [1])
        #expect(details.fetchResultAfterChanges[1] == kept)
        #expect(details.fetchResultAfterChanges[1].estimatedAssetCount == 3)
        let members = try #require(change.changeDetails(for: kept))
        #expect(members.objectAfterChanges?.estimatedAssetCount == 3)
        #expect(change.changeDetails(for: before[0]) == nil)
    }
}

/// The changes that an observer receives.
private final class Observed: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    // Unchecked: `changes` is guarded by `lock`.
    private let lock = NSLock()
    private var changes: [PHChange] = []

    func photoLibraryDidChange(_ change: PHChange) {
        lock.withLock { changes.append(change) }
        Signals.send()
    }

    /// Returns the first reported change of `body`.
    static func change(in world: ChangeWorld, _ body: () throws -> Void) throws -> PHChange {
        let observer = Observed()
        world.library.register(observer)
        defer { world.library.unregisterChangeObserver(observer) }
        try body()
        wait(for: "a change") { observer.lock.withLock { !observer.changes.isEmpty } }
        return try #require(observer.lock.withLock { observer.changes.first })
    }
}
