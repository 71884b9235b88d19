package import Foundation
package import PhotoModel
package import WorkerProtocol

/// Determines the values of an asset from its file and Google's description of it.
///
/// Has no side effects.
///
/// 1. Google states the instant of capture, the file its camera's wall time. If they differ by a
///    multiple of 15 minutes of at most 14 hours, to 60 seconds, this is the offset of the camera's
///    clock, and the file's seconds stay. Otherwise a person changed the date.
/// 2. The file's location counts, then the one that Google found in it, then the one that Google
///    shows, which may be an estimate. If Google's two differ, a person set the latter, which then
///    counts most.
/// 3. Google's description is the caption.
package struct TakeoutPolicy: Sendable {
    /// The zone in which an instant without an offset is shown.
    package var timeZone: TimeZone

    package init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// A remark of the policy.
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

    /// Applies a description to the record that a file would have on its own.
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

    /// Sets those values of an existing asset that are empty or uncertain.
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

    /// The difference to a multiple of 15 minutes that clocks may have, in seconds.
    static let largestResidue = 60.0
    /// The largest offset from UTC, in seconds.
    static let largestOffset = 14 * 3600.0

    /// Dates outside of the years 1826 to 2199 are errors.
    private static func isPlausible(_ seconds: Int64) -> Bool {
        (-4_544_208_000...7_258_118_399).contains(seconds)
    }

    /// Determines the capture time.
    ///
    /// - Parameters:
    ///   - seconds: Google's instant, in seconds since 1970.
    ///   - file: The time that the file states; one of its modification is not used.
    /// - Returns: The capture time, and whether it differs from the camera's.
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

    /// Returns the capture time that a changed description gives an asset; nil if it states no
    /// plausible one.
    ///
    /// A time that a person set before says nothing about the camera's clock.
    func captureTime(_ facts: TakeoutFacts, of record: AssetRecord) -> CaptureTime? {
        guard let seconds = facts.takenSeconds, Self.isPlausible(seconds) else { return nil }
        let file = record.captureTime
        return captureTime(
            Double(seconds),
            file: file?.wallTimeSource == .user ? nil : file
        ).0
    }

    /// Returns the offset of a clock that showed a wall time at an instant; nil if no clock does.
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

    /// Returns the location, and whether Google may have estimated it.
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
