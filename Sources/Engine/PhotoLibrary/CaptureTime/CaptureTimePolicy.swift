package import Foundation
internal import Geography
package import PhotoModel
package import WorkerProtocol

/// Determines the capture time of an asset from all dates that were found.
///
/// 1. The dates rank in this order: EXIF original, EXIF digitized, QuickTime's creation date key,
///    the movie header, XMP, IPTC, EXIF modified, PNG. Impossible dates (February 30, a year before
///    photography) and the zero of an unset clock are skipped. A date without a time ranks after
///    all dates that have one. Then come the GPS time and the file's modification time.
/// 2. The wall time is kept as written; no rule shifts it.
/// 3. Its offset is the one written with it; else the one of another date with the same wall time;
///    else UTC for a movie header; else the difference to the GPS time, if that is close to an
///    offset in use on Earth. A zero offset in IPTC or PNG is not the camera's, since programs
///    write it when they know no zone: IPTC's counts only without an EXIF time, PNG's only for
///    PNG's own date.
/// 4. If no date has an offset and GPS provides none, a wall time from the camera takes the offset
///    of the location that the same camera wrote. `PlaceClock` decides when that is certain. The
///    high seas and places within 10 km of zones with different clocks have no offset.
/// 5. Otherwise the offset stays nil, and the instant is computed with the machine's time zone, as
///    `instantSource` states.
package struct CaptureTimePolicy: Sendable {
    /// The importing machine's time zone.
    package var machineTimeZone: TimeZone
    /// Returns the names of the time zones within 10 km of a location; empty at sea.
    package var zonesOfPlace: @Sendable (Location) -> [String]

    /// Creates a policy that by default looks up zones in the installed map.
    package init(
        machineTimeZone: TimeZone,
        zonesOfPlace: @escaping @Sendable (Location) -> [String] = Self.installedZones
    ) {
        self.machineTimeZone = machineTimeZone
        self.zonesOfPlace = zonesOfPlace
    }

    /// Looks up the names of the time zones within 10 km of a location; returns an empty array if
    /// no map is installed.
    @Sendable package static func installedZones(of place: Location) -> [String] {
        TimeZoneMap.installed?.zones(latitude: place.latitude, longitude: place.longitude) ?? []
    }

    /// The maximum difference in seconds between the GPS time and the camera's clock, apart from
    /// the UTC offset.
    ///
    /// Fixes are some seconds old and camera clocks some minutes off. An older fix does not reveal
    /// the offset.
    static let largestResidue = 180.0

    private static let weight: [CaptureTime.Source] = [
        .exifOriginal, .exifDigitized, .quickTimeKey, .movieHeader, .xmp, .iptc, .exifModified,
        .png,
    ]

    private struct Candidate {
        var source: CaptureTime.Source
        var wallTime: WallTime
        var offset: Int?

        var isExif: Bool {
            source == .exifOriginal || source == .exifDigitized || source == .exifModified
        }

        /// Indicates whether the offset of the date is zero and may have been written by a program
        /// that did not know the time zone.
        var isZeroOfProgram: Bool { offset == 0 && (source == .iptc || source == .png) }
    }

    /// Determines the capture time.
    ///
    /// - Parameters:
    ///   - dates: The dates as the worker found them; of several from one source, the first counts.
    ///   - gpsDateTime: The GPS time in UTC, as written.
    ///   - cameraPlace: The location, if the device that wrote the EXIF dates also wrote it.
    ///   - fileTime: The file's modification time.
    /// - Returns: Nil only if there is no usable date and no modification time.
    package func captureTime(
        dates: [WrittenDate],
        gpsDateTime: String?,
        cameraPlace: Location? = nil,
        fileTime: Date?
    ) -> CaptureTime? {
        let candidates = candidates(from: dates)
        let gpsTime = gpsDateTime.flatMap(WrittenDateParser.parse)?.wallTime
        let satellites = gpsTime.flatMap { $0.isPlausible && $0.hasTime ? $0 : nil }
        let best =
            candidates.first(where: \.wallTime.hasTime)
            ?? candidates.first.flatMap { day in
                satellites == nil ? day : nil
            }
        if let best {
            return resolve(best, among: candidates, satellites: satellites, place: cameraPlace)
        }
        if let satellites {
            return CaptureTime(
                instant: Date(timeIntervalSince1970: satellites.secondsSince1970),
                wallTime: satellites.text,
                offset: 0,
                wallTimeSource: .gpsTime,
                instantSource: .gpsTime
            )
        }
        return fileTime.map(captureTime(ofFile:))
    }

    // MARK: - Steps

    private func candidates(from dates: [WrittenDate]) -> [Candidate] {
        Self.weight.flatMap { source in
            dates.filter { $0.source == source }.compactMap { date in
                guard let parsed = WrittenDateParser.parse(date), parsed.wallTime.isPlausible else {
                    return nil
                }
                return Candidate(source: source, wallTime: parsed.wallTime, offset: parsed.offset)
            }
        }
    }

    private func resolve(
        _ best: Candidate,
        among candidates: [Candidate],
        satellites: WallTime?,
        place: Location?
    ) -> CaptureTime {
        let wallSeconds = best.wallTime.secondsSince1970
        func result(_ offset: Int, _ source: CaptureTime.Source) -> CaptureTime {
            CaptureTime(
                instant: Date(timeIntervalSince1970: wallSeconds - Double(offset)),
                wallTime: best.wallTime.text,
                offset: offset,
                wallTimeSource: best.source,
                instantSource: source
            )
        }
        if best.source == .movieHeader { return result(0, .movieHeader) }
        if let offset = best.offset, !isInvented(best, among: candidates) {
            return result(offset, best.source == .quickTimeKey ? .quickTimeKey : .offsetTag)
        }
        let sameClock = candidates.first {
            $0.offset != nil && $0.source != .movieHeader && !$0.isZeroOfProgram
                && $0.wallTime.wholeSecondsSince1970 == best.wallTime.wholeSecondsSince1970
        }
        if let offset = sameClock?.offset { return result(offset, .offsetTag) }
        if best.wallTime.hasTime, let satellites,
            let offset = Self.offset(of: wallSeconds, toUTC: satellites.secondsSince1970)
        {
            return result(offset, .gpsTime)
        }
        if let place, let offset = self.offset(of: best, at: place, among: candidates) {
            return result(offset, .place)
        }
        return CaptureTime(
            instant: instant(ofWallSeconds: wallSeconds),
            wallTime: best.wallTime.text,
            offset: nil,
            wallTimeSource: best.source,
            instantSource: .machineTimeZone
        )
    }

    /// Returns the UTC offset of the time zone at a location, at the wall time that the camera's
    /// clock showed.
    ///
    /// Nil if any date has an offset: even if it is of another moment, it is better evidence of the
    /// clock's setting. The zero offset of a movie header or a program does not count.
    private func offset(
        of date: Candidate,
        at place: Location,
        among candidates: [Candidate]
    ) -> Int? {
        guard date.source == .exifOriginal || date.source == .exifDigitized,
            date.wallTime.hasTime,
            candidates.allSatisfy({
                $0.offset == nil || $0.isZeroOfProgram || $0.source == .movieHeader
            }),
            let offset = PlaceClock.offset(
                ofWallSeconds: date.wallTime.secondsSince1970,
                zones: zonesOfPlace(place)
            ),
            // No camera has a clock with local mean time or a similar offset.
            Self.isInUse(offset)
        else { return nil }
        return offset
    }

    /// Returns whether the offset of a date was written by a program rather than the camera.
    private func isInvented(_ date: Candidate, among candidates: [Candidate]) -> Bool {
        date.source == .iptc && date.isZeroOfProgram
            && candidates.contains { $0.isExif && $0.wallTime.hasTime }
    }

    private func captureTime(ofFile time: Date) -> CaptureTime {
        let offset = Double(machineTimeZone.secondsFromGMT(for: time))
        return CaptureTime(
            instant: time,
            wallTime: WallTime(secondsSince1970: time.timeIntervalSince1970 + offset).text,
            offset: nil,
            wallTimeSource: .fileTime,
            instantSource: .fileTime
        )
    }

    // MARK: - Offsets

    /// Returns the difference between a wall time and UTC, rounded to a quarter hour; nil if it is
    /// not close to a UTC offset that any region uses.
    static func offset(of wallSeconds: Double, toUTC seconds: Double) -> Int? {
        let difference = wallSeconds - seconds
        let rounded = (difference / 900).rounded() * 900
        guard abs(difference - rounded) <= largestResidue, let offset = Int(exactly: rounded),
            isInUse(offset)
        else { return nil }
        return offset
    }

    /// Returns whether any region uses the given UTC offset.
    ///
    /// Covers whole hours from -12 to +14, and the half and quarter hours of the tz database since
    /// 1970.
    private static func isInUse(_ offset: Int) -> Bool {
        if offset.isMultiple(of: 3_600) { return (-12...14).contains(offset / 3_600) }
        let quarters = offset / 900
        return [
            -38, -34, -18, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 46, 51, 55,
        ].contains(quarters)
    }

    /// Returns the instant at which a clock in the importing machine's time zone shows a wall time.
    ///
    /// A time that occurs twice when clocks are set back resolves to the first occurrence. A time
    /// that clocks skip when they are set forward is resolved with the earlier offset.
    private func instant(ofWallSeconds wallSeconds: Double) -> Date {
        let day = 86_400.0
        func offset(at seconds: Double) -> Double {
            Double(machineTimeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        }
        let before = offset(at: wallSeconds - day)
        let after = offset(at: wallSeconds + day)
        let shown = [before, after].first { offset(at: wallSeconds - $0) == $0 } ?? before
        return Date(timeIntervalSince1970: wallSeconds - shown)
    }
}
