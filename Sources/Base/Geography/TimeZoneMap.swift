package import Foundation

/// An offline lookup of time zones by coordinates.
///
/// The globe is divided into a grid. A cell lists the zones within 10 km of any of its points; it
/// is empty at sea and where the zone is unknown. The data are a file that `Scripts/build-zones`
/// creates. Numbers are little-endian:
///
///     8 bytes    PHZONES1
///     5 × UInt32 cells per degree, zones, sets of zones, members of all sets, bytes of names
///     UInt32     for each row of cells from the south, the offset of its runs, and their length at
///                the end
///     UInt32     for each set, its first member, and the number of all members
///     UInt16     each member of a set: a zone
///     names      the tz database's names of the zones, each a UInt8 for its length, and ASCII
///     runs       rows from the west, starting with a run without zones: the distance of the next
///                run to the east in cells, and its set, both in 7 bits per byte, low bits first
///
/// A file in another format is rejected. A damaged part yields no zones. Thread-safe.
package struct TimeZoneMap: Sendable {
    private static let headSize = 28
    /// The maximum number of zones in a cell; no place on Earth has that many.
    private static let mostZones = 32

    private let bytes: Data
    private let cellsPerDegree: Int
    private let setCount: Int
    private let memberCount: Int
    private let zones: [String]
    private let sets: Int
    private let members: Int
    private let runs: Int

    /// Creates a map from the bytes of a file; returns nil if the file has another format.
    package init?(_ bytes: Data) {
        let bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
        guard bytes.count >= Self.headSize, bytes.prefix(8).elementsEqual("PHZONES1".utf8) else {
            return nil
        }
        let counts = (0..<5).map { Self.number(bytes, at: 8 + $0 * 4) }
        let (cells, zoneCount, nameLength) = (counts[0], counts[1], counts[4])
        guard (1...1_000).contains(cells), zoneCount <= 1 << 16 else { return nil }
        cellsPerDegree = cells
        setCount = counts[2]
        memberCount = counts[3]
        let rows = Self.headSize
        sets = rows + (180 * cells + 1) * 4
        members = sets + (setCount + 1) * 4
        let names = members + memberCount * 2
        runs = names + nameLength
        guard runs <= bytes.count,
            Self.number(bytes, at: rows + 180 * cells * 4) == bytes.count - runs
        else { return nil }
        var zones: [String] = []
        var position = names
        for _ in 0..<zoneCount {
            guard position < runs, position + Int(bytes[position]) < runs else { return nil }
            let end = position + 1 + Int(bytes[position])
            zones.append(String(decoding: bytes[position + 1..<end], as: UTF8.self))
            position = end
        }
        self.zones = zones
        self.bytes = bytes
    }

    /// The installed map; nil if none is installed.
    ///
    /// Loaded on first use: from `$PHOTOS_TIME_ZONES`, or else from the build or installation
    /// folders relative to the program.
    package static let installed: TimeZoneMap? = InstalledResource.load(
        "zones.timezones",
        variable: "PHOTOS_TIME_ZONES",
        as: TimeZoneMap.init
    )

    /// Returns the names of the zones within 10 km of coordinates in degrees; empty at sea.
    ///
    /// The result may include a zone up to 13 km away. Takes a few microseconds.
    package func zones(latitude: Double, longitude: Double) -> [String] {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return [] }
        let scale = Double(cellsPerDegree)
        let row = min(180 * cellsPerDegree - 1, Int((latitude + 90) * scale))
        let column = min(360 * cellsPerDegree - 1, Int((longitude + 180) * scale))
        return bytes.withUnsafeBytes { bytes in
            guard let set = set(inRow: row, column: column, bytes), set < setCount else {
                return []
            }
            let first = Self.number(bytes, at: sets + set * 4)
            let end = Self.number(bytes, at: sets + set * 4 + 4)
            guard first <= end, end <= memberCount, end - first <= Self.mostZones else { return [] }
            var names: [String] = []
            for member in first..<end {
                let zone = bytes.loadUnaligned(
                    fromByteOffset: members + member * 2,
                    as: UInt16.self
                )
                guard let index = Int(exactly: UInt16(littleEndian: zone)), index < zones.count
                else { return [] }
                names.append(zones[index])
            }
            return names
        }
    }

    /// Returns the index of the set of time zones for a grid cell.
    ///
    /// Returns nil if the row has no run at or west of the cell, or if the data read for the row
    /// are damaged.
    private func set(inRow row: Int, column: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let first = runs + Self.number(bytes, at: Self.headSize + row * 4)
        let end = min(bytes.count, runs + Self.number(bytes, at: Self.headSize + row * 4 + 4))
        var position = first
        var found: Int?
        var start = 0
        // Three bytes are enough for every valid column and set; a longer number indicates damage.
        func next() -> Int? {
            var result = 0
            for shift in [0, 7, 14] {
                guard position < end else { return nil }
                let byte = Int(bytes[position])
                position += 1
                result |= (byte & 0x7F) << shift
                if byte < 0x80 { return result }
            }
            return nil
        }
        while position < end {
            guard let step = next(), let set = next() else { return nil }
            start += step
            if start > column { break }
            found = set
        }
        return found
    }

    private static func number(_ bytes: Data, at offset: Int) -> Int {
        bytes.withUnsafeBytes { number($0, at: offset) }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}
