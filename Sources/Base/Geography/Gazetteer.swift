package import Foundation
internal import Glibc
internal import PhotoModel

/// An offline lookup of place names by coordinates.
///
/// The data are a file that `Scripts/build-gazetteer` creates. Numbers are little-endian:
///
///     8 bytes    PHPLACE1
///     4 × UInt32 places, regions, bytes of names, bands
///     UInt32     the first place of each band of half a degree of latitude, from the south, and
///                the number of all places
///     16 bytes   each place, bands from the west: Int32 latitude and longitude in 10⁻⁵ degrees,
///                UInt32 offset of its name, UInt16 its region, UInt16 its radius in units of
///                10 meters
///     8 bytes    each region: UInt32 offset of its name, two letters of its country, UInt16 unused
///     names      each a UInt8 for its length, and UTF-8
///
/// A file in another format is ignored. Thread-safe.
package struct Gazetteer: Sendable {
    /// The names of a place: its city, region and country.
    package struct Place: Equatable, Sendable {
        /// The name of the city; nil far from all known places.
        package var city: String?
        package var region: String?
        /// The ISO 3166-1 code of two letters.
        package var countryCode: String?
    }

    /// The maximum distance in kilometers from the edge of a city at which its name applies.
    private static let farthestCity = 25.0
    /// The maximum distance from the edge of a city, in kilometers, at which a location is still
    /// assigned to the region and country of that city.
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

    /// Creates a gazetteer from a file's bytes; returns nil if the file has another format.
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

    /// The installed gazetteer; nil if none is installed.
    ///
    /// Loaded on first use: from `$PHOTOS_GAZETTEER`, or else from the build or installation
    /// folders relative to the program.
    package static let installed: Gazetteer? = InstalledResource.load(
        "places.gazetteer",
        variable: "PHOTOS_GAZETTEER",
        as: Gazetteer.init
    )

    // MARK: - Lookup

    /// Returns the place at or near coordinates in degrees; nil far from all places.
    ///
    /// The radius of a place is subtracted from its distance, so that a suburb is assigned to its
    /// city and not to a neighboring town. Takes a few microseconds.
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

    /// The numeric fields of a place in the file: its coordinates and radius.
    private struct Coordinates {
        var latitude: Double
        var longitude: Double
        /// The radius in kilometers.
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

    /// Returns the index of a latitude band's first place at or east of a longitude; the index
    /// after the band's last place if no place qualifies.
    private func first(in band: Int, from west: Double, _ bytes: UnsafeRawBufferPointer) -> Int {
        let (first, end) = (bandStart(band, bytes), bandStart(band + 1, bytes))
        // In a damaged file the starts may not be ascending.
        return (first..<max(first, end)).indexPast({ place in
            Coordinates(bytes, places + place * Self.placeSize).longitude < west
        })
    }

    /// The number of places.
    var count: Int { placeCount }

    /// Returns the place with an index; nil if the index is out of range.
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

    /// Returns the name that a field of the file refers to; nil if the name is empty.
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
