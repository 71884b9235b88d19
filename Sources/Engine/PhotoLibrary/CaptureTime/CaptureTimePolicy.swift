package import Foundation
internal import Geography
package import PhotoModel
package import WorkerProtocol

/// Decides when an asset was captured, from all the dates that were found.
///
/// 1. The dates count in this order: EXIF original, EXIF digitized, QuickTime's creation date key,
///    the movie header, XMP, IPTC, EXIF modified, PNG. One that is impossible (February 30, a year
///    before photography) or an unset clock's zero is passed over for the next. A day without a time
///    counts after all dates that have one. Then comes the satellites' time, then the file's.
/// 2. The wall time is kept as written; no rule shifts it.
/// 3. Its offset is the one written beside it; else the one beside another date that shows the same
///    wall time; else UTC for a movie header; else the difference to the satellites' time, where that
///    is close to an offset that clocks on Earth have. Zero in IPTC or PNG is not the camera's offset,
///    since programs write it for want of a zone: IPTC's counts only where there is no EXIF time,
///    PNG's only for PNG's own date.
/// 4. Where no date has an offset and the satellites give none, a camera's own wall time takes the
///    offset of the place that the same camera wrote: `PlaceClock` says when that is certain. The
///    high seas and places within 10 km of clocks that differ have none.
/// 5. Otherwise the offset stays nil, and the instant takes the machine's time zone, which
///    `instantSource` says.
package struct CaptureTimePolicy: Sendable {
    /// The importing machine's time zone.
    package var machineTimeZone: TimeZone
    /// The names of the time zones within 10 km of a place; none at sea.
    package var zonesOfPlace: @Sendable (Location) -> [String]

    /// Creates a policy that looks zones up in the installed map by default.
    package init(
        machineTimeZone: TimeZone,
        zonesOfPlace: @escaping @Sendable (Location) -> [String] = Self.installedZones
    ) {
        self.machineTimeZone = machineTimeZone
        self.zonesOfPlace = zonesOfPlace
    }

    /// The zones of a place by the map that is installed; none without a map.
    @Sendable package static func installedZones(of place: Location) -> [String] {
        TimeZoneMap.installed?.zones(latitude: place.latitude, longitude: place.longitude) ?? []
    }

    /// How far a receiver's time may be from the camera's clock, in seconds.
    ///
    /// Fixes are some seconds old, camera clocks some minutes off; a fix that is older says nothing
    /// about the offset.
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

        /// Whether it says UTC in a field where programs write that for want of a zone.
        var isZeroOfProgram: Bool { offset == 0 && (source == .iptc || source == .png) }
    }

    /// The capture time.
    ///
    /// - Parameters:
    ///   - dates: As the worker found them; within one source the first counts.
    ///   - gpsDateTime: The satellites' UTC, as written.
    ///   - cameraPlace: The place, where the device that wrote the EXIF dates wrote it.
    ///   - fileTime: The file's modification time.
    /// - Returns: Nil only when there is nothing at all.
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

    /// The offset of the place's zone for a wall time that the camera's clock showed.
    ///
    /// Nil as soon as any date has an offset: it may be of another moment, but is better evidence of
    /// how the clock was set. The zero of a movie header or a program is no such offset.
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
            // Local mean time and its kin: no camera has such a clock.
            Self.isInUse(offset)
        else { return nil }
        return offset
    }

    /// Whether the offset beside a date is a program's and not the camera's.
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

    /// The offset that a wall time has against UTC, when the difference is near one in use.
    static func offset(of wallSeconds: Double, toUTC seconds: Double) -> Int? {
        let difference = wallSeconds - seconds
        let rounded = (difference / 900).rounded() * 900
        guard abs(difference - rounded) <= largestResidue, let offset = Int(exactly: rounded),
            isInUse(offset)
        else { return nil }
        return offset
    }

    /// Whether clocks somewhere show this offset.
    ///
    /// Whole hours from -12 to +14, and the half and quarter hours of the tz database since 1970.
    private static func isInUse(_ offset: Int) -> Bool {
        if offset.isMultiple(of: 3_600) { return (-12...14).contains(offset / 3_600) }
        let quarters = offset / 900
        return [
            -38, -34, -18, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 46, 51, 55,
        ].contains(quarters)
    }

    /// The instant at which a clock in the machine's time zone shows a wall time.
    ///
    /// A time that comes twice when clocks are set back is the first; one that clocks skip when they
    /// are set forward counts with the offset before.
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
