import Foundation
import Logging
import PhotoModel
import TestSupport
import Testing

@testable import ImagePipeline

/// The keys of renditions, and what is remembered beside them.
@Suite(.timeLimit(.minutes(1))) struct RenditionKeepingTests {
    private let folder: TemporaryFolder
    private let store: RenditionStore

    init() throws {
        folder = try TemporaryFolder()
        store = Self.store(folder.file("renditions.sqlite").path)
    }

    private static func store(_ path: String) -> RenditionStore {
        RenditionStore(path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @discardableResult
    private func add(
        _ asset: String,
        _ sizeClass: Int,
        version: Int = 1,
        side: Int? = nil,
        origin: RenditionStore.Origin = .content
    ) -> RenditionStore.Key {
        let key = RenditionStore.Key(
            assetUUID: asset,
            contentVersion: version,
            sizeClass: sizeClass
        )
        let side = side ?? sizeClass
        store.store(
            .init(
                jpeg: Data("\(key)".utf8),
                size: PixelSize(width: side / 2, height: side),
                origin: origin
            ),
            for: key
        )
        return key
    }

    @Test func readingCreatesNoFile() {
        #expect(store.contents(of: ["A"], sizeClass: 256).isEmpty)
        #expect(store.count(ofSizeClass: 256) == 0)
        store.remove(ofAssets: ["A"])
        store.remove([])
        #expect(!store.file.isThere)
    }

    @Test func previewsThatAreTooSmallDoNotCount() {
        add("A", 256)
        add("B", 256, side: 255, origin: .embeddedPreview)
        add("C", 256, side: 256, origin: .embeddedPreview)
        add("D", 256, version: 7, side: 100)
        add("E", 1024)
        let found = store.contents(of: ["A", "B", "C", "D", "E", "F"], sizeClass: 256)
        #expect(found == ["A": 1, "C": 1, "D": 7])
        #expect(store.contents(of: ["A"], sizeClass: 1024).isEmpty)
        #expect(store.contents(of: [], sizeClass: 256).isEmpty)
        #expect(store.count(ofSizeClass: 256) == 4 && store.count(ofSizeClass: 1024) == 1)
    }

    @Test("Pages of keys are all keys in order", arguments: [1, 2, 3, 100])
    func keysComeInPages(_ limit: Int) {
        let added = [
            add("A", 1024), add("B", 256), add("A", 256), add("C", 256), add("C", 1024),
            add("É", 256),
        ]
        var (found, pages): ([RenditionStore.Key], Int) = ([], 0)
        while pages < 20 {
            let page = store.keys(after: found.last, limit: limit)
            guard !page.isEmpty else { break }
            #expect(page.count <= limit)
            found += page
            pages += 1
        }
        let expected = added.sorted {
            ($0.sizeClass, $0.assetUUID) < ($1.sizeClass, $1.assetUUID)
        }
        #expect(found == expected)
        #expect(pages == (added.count + limit - 1) / limit)
    }

    @Test func aKeyIsRemovedOnlyInItsVersion() {
        let key = add("A", 256, version: 2)
        add("A", 1024, version: 2)
        var other = key
        other.contentVersion = 1
        store.remove([other])
        #expect(store.count() == 2)
        store.remove([key])
        #expect(store.keys(after: nil, limit: 9).map(\.sizeClass) == [1024])
    }

    @Test func nothingRemainsOfRemovedAssets() throws {
        for asset in ["A", "B"] {
            add(asset, 256)
            add(asset, 1024)
            store.store(.init(print: nil, contentVersion: 1), of: asset)
        }
        store.remove(ofAssets: ["B", "C"])
        #expect(store.keys(after: nil, limit: 9).map(\.assetUUID) == ["A", "A"])
        #expect(Array(store.fingerprints().keys) == ["A"])
        #expect(store.fingerprintedAssets(after: "", limit: 9) == ["A"])
        #expect(store.fingerprintedAssets(after: "A", limit: 9).isEmpty)
    }

    @Test func fingerprintsComeBackOrAreUnknown() throws {
        let print = PictureFingerprint(
            across: .max - 5,
            down: 1,
            colors: (0..<48).map { UInt8($0) },
            aspect: 1.25
        )
        store.store(.init(print: print, contentVersion: 4), of: "A")
        store.store(.init(print: nil, contentVersion: 2), of: "B")
        let found = Self.store(store.file.path).fingerprints()
        #expect(found.count == 2)
        #expect(found["A"]?.print == print && found["A"]?.contentVersion == 4)
        let known = try #require(found["B"])
        #expect(known.print == nil && known.contentVersion == 2)
        // A later one replaces it.
        store.store(.init(print: nil, contentVersion: 5), of: "A")
        let replaced = try #require(store.fingerprints()["A"])
        #expect(replaced.print == nil && replaced.contentVersion == 5)
    }

    @Test func theLastSweepIsRemembered() throws {
        #expect(store.sweptVersion == nil)
        for version: Int64 in [3, 7, 1 << 40] {
            store.setSweptVersion(version)
            #expect(Self.store(store.file.path).sweptVersion == version)
        }
    }

    @Test func aClosedStoreReadsAndWritesNothing() {
        add("A", 256)
        store.file.close()
        add("B", 256)
        #expect(store.count() == 0)
        #expect(Self.store(store.file.path).count() == 1)
    }
}
