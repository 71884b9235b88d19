import Foundation
import Media
import Testing

/// An object of an archive, with other objects and texts as members.
final class ArchivedObject: NSObject, NSCoding {
    private let members: [String: NSObject]

    init(_ members: [String: NSObject]) { self.members = members }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        for (name, value) in members { coder.encode(value, forKey: name) }
    }
}

/// The names of places in archives that Foundation wrote.
@Suite(.timeLimit(.minutes(1))) struct PlaceNameArchiveTests {
    private func archive(_ root: NSObject) -> [UInt8] {
        NSKeyedArchiver.setClassName("PLRevGeoLocationInfo", for: ArchivedObject.self)
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = .binary
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return Array(archiver.encodedData)
    }

    private func places(_ names: [String?]) -> NSObject {
        let places = names.map { name in
            ArchivedObject(name.map { ["name": NSString(string: $0)] } ?? [:])
        }
        let item = ArchivedObject(["sortedPlaceInfos": NSArray(array: places)])
        return ArchivedObject(["mapItem": item, "other": NSNumber(value: 5)])
    }

    @Test func namesAreInTheirOrderAndOnce() throws {
        let bytes = archive(places(["Piazza", "Roma", nil, "Roma", "Lazio", "Italia"]))
        let found = try #require(PlaceNameArchive(bytes))
        #expect(found.names == ["Piazza", "Roma", "Lazio", "Italia"])
    }

    @Test func onlySomeNamesAreKept() throws {
        let found = try #require(PlaceNameArchive(archive(places((0..<40).map { "Place \($0)" }))))
        #expect(found.names == (0..<32).map { "Place \($0)" })
    }

    /// An archive of something else has no names.
    @Test func otherArchivesHaveNoNames() throws {
        for root in [
            ArchivedObject([:]), ArchivedObject(["mapItem": NSString(string: "text")]),
            ArchivedObject(["mapItem": ArchivedObject(["sortedPlaceInfos": NSString(string: "x")])]
            ),
        ] {
            #expect(try #require(PlaceNameArchive(archive(root))).names == [])
        }
    }

    @Test func damagedArchivesAreHarmless() throws {
        let whole = archive(places(["Roma", "Italia"]))
        for length in whole.indices { #expect(PlaceNameArchive(Array(whole[..<length])) == nil) }
        #expect(PlaceNameArchive(Array("no archive".utf8)) == nil)
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0xff
            if let found = PlaceNameArchive(bytes) { #expect(found.names.count <= 32) }
        }
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["$objects": ["a"], "$top": ["root": "b"]],
            format: .binary,
            options: 0
        )
        #expect(PlaceNameArchive(Array(list)) == nil)
    }
}
