import ChangeFollowing
import Foundation
import Photos
import PhotosManagement
import Testing

/// Photos that another process hides from a program without permission for hidden ones (behavior
/// 20, 43 and 44).
///
/// `PHOTOS_HIDDEN_SEQUENCES` sets the number of random sequences of changes, by default 12.
/// `PHOTOS_TEST_SEED` repeats a run.
@Suite(.timeLimit(.minutes(60))) struct HiddenElsewhereTests {
    private static let sequences =
        ProcessInfo.processInfo.environment["PHOTOS_HIDDEN_SEQUENCES"].flatMap(Int.init) ?? 12

    @Test("Objects of a held result keep identifiers and values")
    func heldResult() throws {
        let library = try ChangingLibrary(assets: 6)
        let assets = library.assets()
        let names = (0..<6).map { assets[$0].localIdentifier }
        let (hidden, purged, visible) = (assets[1], assets[2], assets[3])
        let hiddenBefore = assets[5]
        try library.change { PHAssetChangeRequest(for: hiddenBefore).isHidden = true }
        let client = try library.client("hold")
        #expect(client.line() == "ready 5")
        try library.change { PHAssetChangeRequest(for: hidden).isFavorite = true }
        try library.change {
            PHAssetChangeRequest(for: hidden).isHidden = true
            PHAssetChangeRequest(for: purged).isHidden = true
            PHAssetChangeRequest(for: visible).isFavorite = true
        }
        try library.change {
            PHAssetChangeRequest(for: hidden).isFavorite = false
            PHAssetChangeRequest.deleteAssets([purged] as NSArray)
        }
        try library.bundle.purge([purged])
        client.send("look")
        let lines = client.finish().lines
        // Hidden assets remain in the state in which the program last saw them.
        let favorites = [1, 3]
        let rows = (0..<5).map { index in
            "asset \(names[index]) \(index == 4 ? 2 : 1) 4032 false \(favorites.contains(index))"
        }
        #expect(lines == rows + ["counts [4, 1]", "place 4"])
    }

    @Test("Change details are right whatever is hidden meanwhile")
    func randomSequences() throws {
        let seed =
            ProcessInfo.processInfo.environment["PHOTOS_TEST_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0...UInt64.max)
        var random = Generator(seed: seed)
        let library = try ChangingLibrary(assets: 50)
        let assets = library.assets()
        for number in 0..<2 {
            _ = try library.addAlbum("\(number)", (0..<12).map { assets[number * 7 + $0] })
        }
        let client = try library.client("visible")
        #expect(client.line() == "ready")
        for sequence in 0..<Self.sequences {
            for _ in 0..<Int.random(in: 1...6, using: &random) { try change(library, &random) }
            client.send("check")
            let line = client.line()
            #expect(line == "ok", "sequence \(sequence), seed \(seed)")
            guard line == "ok" else { return }
        }
        client.send("end")
        let last = client.finish().lines.last?.split(separator: " ") ?? []
        // The test is only useful if there were changes to follow.
        let details = last.last.flatMap { Int($0) } ?? 0
        #expect(last.first == "details" && details > Self.sequences, "seed \(seed): \(last)")
    }

    /// Makes one change, which in most cases hides or unhides photos.
    private func change(_ library: ChangingLibrary, _ random: inout Generator) throws {
        let all = library.assets { $0.includeHiddenAssets = true }
        let albums = library.albums()
        let count = Int.random(in: 1...5, using: &random)
        var some: [PHAsset] = []
        for _ in 0..<count where all.count > 0 {
            let asset = all[Int.random(in: 0..<all.count, using: &random)]
            if !some.contains(asset) { some.append(asset) }
        }
        let chosen = some
        let kinds = chosen.map { _ in Int.random(in: 0..<10, using: &random) }
        let day = Int.random(in: 0..<400, using: &random)
        let album = albums[Int.random(in: 0..<albums.count, using: &random)]
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where all.count > 20: return try delete(chosen[0], in: library, isForGood: day < 200)
        case 1:
            let deleted = try library.bundle.recentlyDeletedAssets()
            if deleted.count > 0 { try library.bundle.restore([deleted[0]]) }
            return
        case 2:
            // A permanent deletion cannot be undone.
            _ = try? library.bundle.undo()
            return
        case 3: return try library.change { Self.toggle(chosen[0], in: album) }
        default: break
        }
        try library.change {
            for (asset, kind) in zip(chosen, kinds) {
                let request = PHAssetChangeRequest(for: asset)
                switch kind {
                case 0..<6: request.isHidden = !asset.isHidden
                case 6, 7: request.isFavorite = !asset.isFavorite
                default: request.creationDate = RowsLibrary.date(day)
                }
            }
        }
    }

    private func delete(_ asset: PHAsset, in library: ChangingLibrary, isForGood: Bool) throws {
        try library.change { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        if isForGood { try library.bundle.purge([asset]) }
    }

    private static func toggle(_ asset: PHAsset, in album: PHAssetCollection) {
        let request = PHAssetCollectionChangeRequest(for: album)
        request?.removeAssets([asset] as NSArray)
        request?.insertAssets([asset] as NSArray, at: [0])
    }
}
