package import Foundation
internal import Glibc
internal import PhotoModel

/// Names of places, looked up by where they are; offline.
///
/// The data are a file that `Scripts/build-gazetteer` makes. Numbers are little-endian:
///
///     8 bytes    PHPLACE1
///     4 × UInt32 places, regions, bytes of names, bands
///     UInt32     the first place of each band of half a degree of latitude, from the south, and the
///                number of all places
///     16 bytes   each place, bands from the west: Int32 latitude and longitude in 10⁻⁵ degrees, UInt32
///                where its name is, UInt16 its region, UInt16 how far it reaches in 10 metres
///     8 bytes    each region: UInt32 where its name is, two letters of its country, UInt16 nothing
///     names      each a UInt8 for its length, and UTF-8
///
/// A file that is not like that is as good as none. Thread-safe.
package struct Gazetteer: Sendable {
    /// A place's names.
    package struct Place: Equatable, Sendable {
        /// Nil far from all places that the data know.
        package var city: String?
        package var region: String?
        /// ISO 3166-1, two letters.
        package var countryCode: String?
    }

    /// How far beyond its reach a place gives its name, in kilometres.
    private static let farthestCity = 25.0
    /// How far beyond its reach a place's region gives its name, and how far away places are looked at.
    private static let farthestRegion = 60.0
    private static let placeSize = 16
    private static let regionSize = 8
    private static let headSize = 24

    private let bytes: Data
    private let placeCount: Int
    private let regionCount: Int
    private let bandCount: Int
    private let places: Int
    private let regions: Int
    private let names: Int

    /// Takes a file's bytes; nil when they are not those of a gazetteer.
    package init?(_ bytes: Data) {
        let bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
        guard bytes.count >= Self.headSize, bytes.prefix(8).elementsEqual("PHPLACE1".utf8) else {
            return nil
        }
        func number(_ offset: Int) -> Int {
            bytes.withUnsafeBytes {
                Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            }
        }
        placeCount = number(8)
        regionCount = number(12)
        bandCount = number(20)
        places = Self.headSize + (bandCount + 1) * 4
        regions = places + placeCount * Self.placeSize
        names = regions + regionCount * Self.regionSize
        guard bandCount > 0, bytes.count == names + number(16) else { return nil }
        self.bytes = bytes
    }

    /// The gazetteer that is installed; nil without one.
    ///
    /// Read when it is first needed: `$PHOTOS_GAZETTEER`, else where a build or an installation puts it,
    /// beside the program.
    package static let installed: Gazetteer? = InstalledResource.load(
        "places.gazetteer",
        variable: "PHOTOS_GAZETTEER",
        as: Gazetteer.init
    )

    // MARK: - Looking up

    /// The place that something is in or near, in degrees; nil far from all of them.
    ///
    /// A large place counts as nearer than it is, so that a part of a city does not pass for the city's
    /// neighbour. Takes some microseconds.
    package func place(latitude: Double, longitude: Double) -> Place? {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        let kilometresPerDegree = 111.195
        let scale = max(0.01, cos(latitude * .pi / 180))
        let height = (Self.farthestRegion + 30) / kilometresPerDegree
        let width = min(180, height / scale)
        var best: (place: Int, distance: Double)?
        bytes.withUnsafeBytes { bytes in
            for band in self.band(latitude - height)...self.band(latitude + height) {
                for turn in [-360.0, 0, 360] {
                    let west = longitude - width + turn
                    var index = first(in: band, from: west, bytes)
                    let end = bandStart(band + 1, bytes)
                    while index < end {
                        let place = Coordinates(bytes, places + index * Self.placeSize)
                        if place.longitude > longitude + width + turn { break }
                        let x = (place.longitude - longitude - turn) * scale
                        let y = place.latitude - latitude
                        let distance =
                            (x * x + y * y).squareRoot() * kilometresPerDegree - place.reach
                        if distance < best?.distance ?? Self.farthestRegion {
                            best = (index, distance)
                        }
                        index += 1
                    }
                }
            }
        }
        guard let best else { return nil }
        return names(of: best.place, isNear: best.distance <= Self.farthestCity)
    }

    /// A place's numbers.
    private struct Coordinates {
        var latitude: Double
        var longitude: Double
        /// Kilometres.
        var reach: Double

        init(_ bytes: UnsafeRawBufferPointer, _ offset: Int) {
            latitude = Double(Self.number(bytes, offset)) / 1e5
            longitude = Double(Self.number(bytes, offset + 4)) / 1e5
            reach =
                Double(
                    UInt16(
                        littleEndian: bytes.loadUnaligned(
                            fromByteOffset: offset + 14,
                            as: UInt16.self
                        )
                    )
                ) / 100
        }

        private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
            Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
        }
    }

    private func band(_ latitude: Double) -> Int {
        let band = (latitude + 90) / 180 * Double(bandCount)
        return min(bandCount - 1, max(0, Int(band)))
    }

    private func bandStart(_ band: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        let offset = Self.headSize + band * 4
        let start = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        )
        return min(placeCount, Int(start))
    }

    /// The first place of a band that is not west of a longitude.
    private func first(in band: Int, from west: Double, _ bytes: UnsafeRawBufferPointer) -> Int {
        let (first, end) = (bandStart(band, bytes), bandStart(band + 1, bytes))
        // The starts of bytes that are damaged need not ascend.
        return (first..<max(first, end)).indexPast({ place in
            Coordinates(bytes, places + place * Self.placeSize).longitude < west
        })
    }

    /// How many places there are.
    var count: Int { placeCount }

    /// One of the places, by its number; nil for one that there is not.
    func namedPlace(_ index: Int) -> NamedPlace? {
        guard (0..<placeCount).contains(index) else { return nil }
        let numbers = bytes.withUnsafeBytes { Coordinates($0, places + index * Self.placeSize) }
        return NamedPlace(
            place: names(of: index, isNear: true),
            latitude: numbers.latitude,
            longitude: numbers.longitude,
            reach: numbers.reach
        )
    }

    private func names(of place: Int, isNear: Bool) -> Place {
        bytes.withUnsafeBytes { bytes in
            let offset = places + place * Self.placeSize
            let region = Int(
                UInt16(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt16.self)
                )
            )
            var found = Place()
            if isNear { found.city = name(bytes, at: offset + 8) }
            guard region < regionCount else { return found }
            let entry = regions + region * Self.regionSize
            found.region = name(bytes, at: entry)
            found.countryCode = String(decoding: bytes[entry + 4..<entry + 6], as: UTF8.self)
            return found
        }
    }

    /// The name that the number at an offset leads to; nil for an empty one.
    private func name(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String? {
        let start =
            names
            + Int(
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            )
        guard start < bytes.count else { return nil }
        let end = min(bytes.count, start + 1 + Int(bytes[start]))
        let text = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
