package import Foundation
package import PhotoModel
package import WorkerProtocol

/// Determines the values of an asset from its file and from Google's description.
///
/// Has no side effects.
///
/// 1. Google states the instant of capture, and the file states the camera's wall time. If their
///    difference is within 60 seconds of a multiple of 15 minutes, and at most 14 hours, it is
///    taken as the UTC offset of the camera's clock, and the file's time stays. Otherwise a person
///    changed the date, and Google's instant counts.
/// 2. The location is the file's, else the one that Google found in the file, else the one that
///    Google shows, which may be an estimate. If Google's two locations differ, a person set the
///    one that Google shows, and it takes precedence over the others.
/// 3. The caption is Google's description.
package struct TakeoutPolicy: Sendable {
    /// The time zone in which instants without an offset are converted to wall time.
    package var timeZone: TimeZone

    package init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// A remark on an asset for the import report.
    package enum Remark: String, Sendable {
        case dateChangedByPerson, placeEstimated, partnerSharing

        package var text: String {
            switch self {
            case .dateChangedByPerson:
                "The date in Google Photos differs from the camera's, so a person changed it."
            case .placeEstimated: "The file has no location; Google may have estimated this one."
            case .partnerSharing: "A partner shared it with this account."
            }
        }
    }

    /// Applies Google's description to a record that was made from the file alone.
    package func apply(_ facts: TakeoutFacts, to record: inout AssetRecord) -> [Remark] {
        var remarks: [Remark] = []
        if facts.isFromPartner { remarks.append(.partnerSharing) }
        if let seconds = facts.takenSeconds, Self.isPlausible(seconds) {
            let (time, isChanged) = captureTime(Double(seconds), file: record.captureTime)
            record.captureTime = time
            record.creationDate = time.instant
            if isChanged { remarks.append(.dateChangedByPerson) }
        }
        let (location, isEstimated) = Self.location(facts, file: record.location)
        if location != record.location {
            record.location = location
            record.personFacts.insert(.location)
        }
        if isEstimated { remarks.append(.placeEstimated) }
        if let caption = facts.caption, caption != record.caption {
            record.caption = caption
            record.personFacts.insert(.caption)
        }
        record.isFavorite = facts.isFavorite
        return remarks
    }

    /// Fills in the missing or uncertain values of an existing asset from Google's description.
    package func fill(_ facts: TakeoutFacts, into record: inout AssetRecord) {
        if record.caption == nil, let caption = facts.caption {
            record.caption = caption
            record.personFacts.insert(.caption)
        }
        if facts.isFavorite { record.isFavorite = true }
        if record.location == nil, let location = Self.location(facts, file: nil).0 {
            record.location = location
            record.personFacts.insert(.location)
        }
        let file = record.captureTime
        let isUncertain =
            file == nil || file?.wallTimeSource == .fileTime
            || file?.instantSource == .machineTimeZone
        guard isUncertain, let seconds = facts.takenSeconds, Self.isPlausible(seconds) else {
            return
        }
        let (time, isChanged) = captureTime(Double(seconds), file: file)
        guard !isChanged else { return }
        record.captureTime = time
        record.creationDate = time.instant
    }

    // MARK: - Time

    /// The maximum deviation, in seconds, of a clock's offset from a multiple of 15 minutes.
    static let largestResidue = 60.0
    /// The largest offset from UTC, in seconds.
    static let largestOffset = 14 * 3600.0

    /// Indicates whether a date is in the years 1826 to 2199; other dates count as errors.
    private static func isPlausible(_ seconds: Int64) -> Bool {
        (-4_544_208_000...7_258_118_399).contains(seconds)
    }

    /// Determines the capture time from the instant in Google's metadata and the capture time that
    /// the file states.
    ///
    /// - Parameters:
    ///   - seconds: Google's instant, in seconds since 1970.
    ///   - file: The time that the file states. A time taken from the file's modification time is
    ///     ignored.
    /// - Returns: The capture time, and whether a person changed it from the camera's.
    package func captureTime(_ seconds: Double, file: CaptureTime?) -> (CaptureTime, Bool) {
        guard let file, file.wallTimeSource != .fileTime else {
            return (time(ofInstant: seconds), false)
        }
        guard let wall = WrittenDateParser.parse(file.wallTime)?.wallTime.secondsSince1970,
            let offset = Self.offset(ofWallSeconds: wall, seconds)
        else { return (time(ofInstant: seconds), true) }
        if file.offset == offset { return (file, false) }
        var result = file
        result.offset = offset
        result.instant = Date(timeIntervalSince1970: wall - Double(offset))
        result.instantSource = .user
        return (result, false)
    }

    /// Returns the capture time of an asset after Google's description changed; nil if the
    /// description states no plausible time.
    ///
    /// If a person set the asset's present time, it is not used to determine the camera's offset.
    func captureTime(_ facts: TakeoutFacts, of record: AssetRecord) -> CaptureTime? {
        guard let seconds = facts.takenSeconds, Self.isPlausible(seconds) else { return nil }
        let file = record.captureTime
        return captureTime(
            Double(seconds),
            file: file?.wallTimeSource == .user ? nil : file
        ).0
    }

    /// Returns the UTC offset, in seconds, of a clock that shows a wall time at an instant; nil if
    /// no plausible offset fits.
    static func offset(ofWallSeconds wall: Double, _ seconds: Double) -> Int? {
        let difference = wall - seconds
        let rounded = (difference / 900).rounded() * 900
        guard abs(difference - rounded) <= largestResidue, abs(rounded) <= largestOffset else {
            return nil
        }
        return Int(rounded)
    }

    private func time(ofInstant seconds: Double) -> CaptureTime {
        let instant = Date(timeIntervalSince1970: seconds)
        let offset = Double(timeZone.secondsFromGMT(for: instant))
        return CaptureTime(
            instant: instant,
            wallTime: WallTime(secondsSince1970: seconds + offset).text,
            offset: nil,
            wallTimeSource: .user,
            instantSource: .user
        )
    }

    // MARK: - Place

    // Google writes coordinates with seven decimals; smaller differences are of rounding.
    static let sameDegrees = 0.0001

    /// Determines the location, and returns whether it may be an estimate by Google.
    package static func location(_ facts: TakeoutFacts, file: Location?) -> (Location?, Bool) {
        if let shown = facts.location, let found = facts.fileLocation,
            abs(shown.latitude - found.latitude) > sameDegrees
                || abs(shown.longitude - found.longitude) > sameDegrees
        {
            return (shown, false)
        }
        if let location = file ?? facts.fileLocation { return (location, false) }
        return (facts.location, facts.location != nil)
    }
}
