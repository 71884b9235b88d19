import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(5))) struct CloudIdentifierTests {
    private let files: FilesLibrary
    private let assets: [PHAsset]

    init() throws {
        files = try FilesLibrary.shared.get()
        assets = try files.assets()
    }

    private var photos: PHPhotoLibrary { files.bundle.using { PHPhotoLibrary.shared() } }

    @Test("218, 220: a batch of assets there and back")
    func roundTrip() throws {
        let names = assets.map(\.localIdentifier)
        let cloud = photos.cloudIdentifierMappings(forLocalIdentifiers: names)
        #expect(cloud.count == names.count)
        let identifiers = try names.map { try #require(try cloud[$0]?.get()) }
        #expect(Set(identifiers).count == names.count)
        let texts = identifiers.map(\.stringValue)
        let read = texts.map(PHCloudIdentifier.init(stringValue:))
        #expect(read == identifiers)
        for mappings in [
            photos.localIdentifierMappings(for: read),
            photos.localIdentifierMappings(forSynced: read),
        ] {
            for (name, identifier) in zip(names, read) {
                #expect(try mappings[identifier]?.get() == name)
            }
        }
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: identifiers[0],
            requiringSecureCoding: true
        )
        let unarchived = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: PHCloudIdentifier.self,
            from: archive
        )
        #expect(unarchived == identifiers[0])
        #expect(identifiers[0].copy() as? PHCloudIdentifier == identifiers[0])
    }

    @Test("20: the identifier is the library and the bytes")
    func contentIdentity() throws {
        let asset = try #require(assets.first)
        let identifier = try #require(
            try photos.cloudIdentifierMappings(forLocalIdentifiers: [asset.localIdentifier])[
                asset.localIdentifier
            ]?.get()
        )
        let facts = try files.bundle.resources(of: asset.localIdentifier)
        let path = try #require(facts.first).sha256
        #expect(identifier.stringValue.hasSuffix(":001:" + path))
    }

    @Test("219, 221: errors per entry; other libraries' identifiers match by content only")
    func errors() throws {
        let name = try #require(assets.first).localIdentifier
        let unknown = "00000000-0000-4000-8000-00000000FFFF/L0/001"
        let mappings = photos.cloudIdentifierMappings(forLocalIdentifiers: [
            name, unknown, "nonsense", "00000000-0000-4000-8000-00000000FFFF/L0/040",
        ])
        #expect(mappings.count == 4)
        let good = try #require(try mappings[name]?.get())
        for entry in mappings where entry.key != name {
            #expect(throws: PHPhotosError.self) { _ = try entry.value.get() }
        }
        let parts = good.stringValue.split(separator: ":")
        let elsewhere = PHCloudIdentifier(
            stringValue: "\(UUID().uuidString):\(parts[1]):\(parts[2])"
        )
        let missing = PHCloudIdentifier(
            stringValue: "\(parts[0]):001:\(String(repeating: "0", count: 64))"
        )
        let wrong = PHCloudIdentifier(stringValue: "not ours")
        let found = photos.localIdentifierMappings(for: [elsewhere, missing, wrong, good])
        #expect(found.count == 4)
        #expect(try found[elsewhere]?.get() == name)
        #expect(try found[good]?.get() == name)
        for identifier in [missing, wrong] {
            do {
                _ = try found[identifier]?.get()
                Issue.record("\(identifier) was found")
            } catch PHPhotosError.identifierNotFound {}
        }
        let synced = photos.localIdentifierMappings(forSynced: [elsewhere, good])
        #expect(try synced[good]?.get() == name)
        #expect(throws: PHPhotosError.self) { _ = try synced[elsewhere]?.get() }
    }

    @Test("Albums and folders by their names")
    func collections() throws {
        let library = try ChangingLibrary(assets: 3)
        let album = try library.addAlbum("A").localIdentifier
        let cloud = library.photos.cloudIdentifierMappings(forLocalIdentifiers: [album])
        let identifier = try #require(try cloud[album]?.get())
        let found = library.photos.localIdentifierMappings(for: [identifier])
        #expect(try found[identifier]?.get() == album)
        #expect(throws: PHPhotosError.self) {
            _ = try photos.localIdentifierMappings(for: [identifier])[identifier]?.get()
        }
    }

    @Test("20: the same bytes are recognised before they are written")
    func knownContent() throws {
        let folder = try Folder()
        let asset = try #require(assets.first)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        let copy = folder.file("copy.bin")
        let done = DispatchSemaphore(value: 0)
        PHAssetResourceManager.default().writeData(for: resource, toFile: copy, options: nil) { _ in
            done.signal()
        }
        done.wait()
        let strange = folder.file("strange.bin")
        try Data("nothing like it".utf8).write(to: strange)
        let known = try files.bundle.assets(withContentOf: [copy, strange])
        #expect(known[0].map(\.localIdentifier) == [asset.localIdentifier])
        #expect(known[0].first?.isInRecentlyDeleted == false)
        #expect(known[1].isEmpty)
        let sum = try Tool.run("sha256sum", [copy.path]).prefix(64)
        #expect(try files.bundle.assets(withSHA256: [String(sum)]).first == known[0])
        #expect(throws: PHPhotosError.self) {
            _ = try files.bundle.assets(withContentOf: folder.file("absent"))
        }
        #expect(throws: PHPhotosError.self) {
            _ = try files.bundle.assets(withContentOf: folder.url)
        }
        #expect(throws: PHPhotosError.self) {
            _ = try files.bundle.assets(withSHA256: ["abc"])
        }
    }
}
