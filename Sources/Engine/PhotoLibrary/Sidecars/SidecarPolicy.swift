internal import Foundation
package import PhotoModel

/// Determines the values of an asset's fields from its file and its sidecars.
///
/// Has no side effects.
///
/// 1. For the fields that people edit (title, caption, rating, location, date), the most specific
///    sidecar takes precedence, then the other sidecars in order, then the file. A sidecar whose
///    `xmp:MetadataDate` precedes the file's only fills fields that the file lacks.
/// 2. Keywords are the union of those of the file and all sidecars.
/// 3. A sidecar's date or location that equals the camera's with less precision does not replace
///    it.
///    A sidecar that states all metadata, as those of exported libraries do, hides the file and the
///    sidecars after it from rules 1 and 2, except for a date. It is precise.
/// 4. Fields whose value in the library differs from the result of the file and the previous
///    sidecars were changed by a person, and stay. Keywords added by a person stay, and keywords
///    removed by a person are not added again.
package enum SidecarPolicy {
    /// The values of the fields that sidecars can change.
    package struct Values: Hashable, Sendable {
        package var title: String?
        package var caption: String?
        package var keywords: [String]
        package var rating: Int
        package var location: Location?
        /// The capture time; nil if neither the file nor a sidecar has a date.
        package var captureTime: CaptureTime?
    }

    /// Determines the values of an asset's fields from its file and its sidecars.
    ///
    /// `sidecars` are in order of precedence.
    package static func values(
        file: SidecarStatement,
        sidecars: [SidecarStatement]
    ) -> Values {
        let current = sidecars.filter { !isOutdated($0, by: file) }
        let outdated = sidecars.filter { isOutdated($0, by: file) }
        var ordered = current + [file] + outdated
        var tagged = [file] + sidecars
        if let complete = current.firstIndex(where: \.isComplete) {
            ordered = Array(current[...complete])
            tagged = ordered
        }
        return Values(
            title: first(ordered, \.title),
            caption: first(ordered, \.caption),
            keywords: union(tagged),
            rating: first(ordered, \.rating) ?? 0,
            location: location(ordered.first { $0.location != nil }, file: file.location),
            captureTime: captureTime(current, file: file.captureTime)
                ?? first(outdated, \.captureTime)
        )
    }

    /// Updates those fields of an asset whose values changed from `old` to `new`.
    ///
    /// Fields that a person set, and fields that no longer have the old value, stay.
    package static func update(_ asset: inout AssetRecord, from old: Values, to new: Values) {
        let set = asset.personFacts
        if asset.title == old.title, !set.contains(.title) { asset.title = new.title }
        if asset.caption == old.caption, !set.contains(.caption) { asset.caption = new.caption }
        if asset.rating == old.rating, !set.contains(.rating) { asset.rating = new.rating }
        if asset.location == old.location, !set.contains(.location) {
            asset.location = new.location
        }
        let removed = Set(old.keywords).subtracting(asset.keywords)
        let gone = Set(old.keywords).subtracting(new.keywords)
        asset.keywords.removeAll(where: gone.contains)
        for keyword in new.keywords
        where !removed.contains(keyword) && !asset.keywords.contains(keyword) {
            asset.keywords.append(keyword)
        }
        if old.captureTime != new.captureTime, isUnchanged(asset.captureTime, since: old),
            let time = new.captureTime
        {
            asset.captureTime = time
            asset.creationDate = time.instant
        }
    }

    // MARK: - Weight

    private static func isOutdated(_ sidecar: SidecarStatement, by file: SidecarStatement) -> Bool {
        guard let written = sidecar.metadataDate, let fileWritten = file.metadataDate else {
            return false
        }
        return fileWritten > written
    }

    private static func first<Value>(
        _ statements: [SidecarStatement],
        _ field: KeyPath<SidecarStatement, Value?>
    ) -> Value? {
        statements.lazy.compactMap { $0[keyPath: field] }.first
    }

    private static func union(_ statements: [SidecarStatement]) -> [String] {
        var seen: Set<String> = []
        return statements.flatMap(\.keywords).filter { seen.insert($0).inserted }
    }

    // MARK: - Places

    // XMP uses arc minutes, which some programs write with two decimals: a precision of about 10
    // meters.
    private static let sameDegrees = 0.0001

    private static func location(_ statement: SidecarStatement?, file: Location?) -> Location? {
        guard let statement, let chosen = statement.location, let file, !statement.isComplete else {
            return statement?.location
        }
        let isSame =
            abs(chosen.latitude - file.latitude) <= sameDegrees
            && abs(chosen.longitude - file.longitude) <= sameDegrees
        return isSame ? file : chosen
    }

    // MARK: - Dates

    private static func captureTime(
        _ sidecars: [SidecarStatement],
        file: CaptureTime?
    ) -> CaptureTime? {
        for sidecar in sidecars {
            guard let time = sidecar.captureTime else { continue }
            guard let file else { return time }
            // The time of digitization is not the time of capture.
            guard time.wallTimeSource != .exifDigitized else { continue }
            let isTheFiles =
                sidecar.isComplete ? isEqual(time, file) : isSame(time, file)
            return isTheFiles ? completed(file, by: time) : time
        }
        return file
    }

    /// Indicates whether two dates agree exactly: equal wall times, and equal offsets if both have
    /// one.
    private static func isEqual(_ time: CaptureTime, _ file: CaptureTime) -> Bool {
        guard time.wallTime == file.wallTime else { return false }
        guard let offset = time.offset, let fileOffset = file.offset else { return true }
        return offset == fileOffset
    }

    /// Indicates whether a sidecar's date is the camera's date, possibly with less precision.
    ///
    /// That is the case for the same wall time at the sidecar's precision, or the same instant in
    /// UTC, as written by programs that store no offset.
    private static func isSame(_ time: CaptureTime, _ file: CaptureTime) -> Bool {
        if let offset = time.offset, let fileOffset = file.offset, offset != fileOffset {
            // An offset other than UTC was chosen by a person.
            guard offset == 0 else { return false }
            if abs(time.instant.timeIntervalSince(file.instant)) < 1 { return true }
        }
        let (text, fileText) = (time.wallTime.prefix(19), file.wallTime.prefix(19))
        if text == fileText { return true }
        // A date or minutes without the finer parts.
        if text.hasSuffix("T00:00:00") { return text.prefix(10) == fileText.prefix(10) }
        return text.hasSuffix(":00") && text.prefix(16) == fileText.prefix(16)
    }

    /// Returns the camera's time, with the sidecar's offset if the camera recorded none.
    private static func completed(_ file: CaptureTime, by time: CaptureTime) -> CaptureTime {
        guard file.offset == nil, let offset = time.offset,
            let wall = WrittenDateParser.parse(file.wallTime)?.wallTime
        else { return file }
        var result = file
        result.offset = offset
        result.instant = Date(timeIntervalSince1970: wall.secondsSince1970 - Double(offset))
        result.instantSource = time.instantSource
        return result
    }

    /// Indicates whether an asset's date is still the one derived from its file and its previous
    /// sidecars.
    private static func isUnchanged(_ time: CaptureTime?, since old: Values) -> Bool {
        guard let time, time.wallTimeSource != .user else { return false }
        guard let former = old.captureTime else { return time.wallTimeSource == .fileTime }
        return time.wallTime == former.wallTime
    }
}
