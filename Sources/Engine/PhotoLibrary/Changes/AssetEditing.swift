internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Applies new property values from a request to an asset's record.
///
/// Has no side effects. Values that are already set leave the record unchanged. Equal records
/// therefore mean that nothing is written and that the modification date stays (pains 21).
struct AssetEditing {
    /// The time zone assumed for dates whose offset is unknown.
    var timeZone: TimeZone

    /// The range of capture dates in seconds since 1970 whose wall times have four-digit years.
    private static let secondsOfDates = -62_135_596_800.0..<253_402_300_800.0

    /// Applies an edit to a record.
    ///
    /// - Parameters:
    ///   - edit: The values that the request sets.
    ///   - record: The asset, as earlier operations of the set left it.
    ///   - hasAlternate: Returns whether the asset has a second original; called only when needed.
    /// - Throws: `invalidRequest` for an invalid value, `changeNotSupported` for a property that
    ///   this asset does not have.
    func apply(
        _ edit: AssetEdit,
        to record: inout AssetRecord,
        hasAlternate: () throws -> Bool
    ) throws {
        let before = record
        try setDate(edit.creationDate, of: &record)
        try setLocation(edit.location, of: &record)
        if let title = edit.title { record.title = Self.text(title) }
        if let caption = edit.caption { record.caption = Self.text(caption) }
        if let isFavorite = edit.isFavorite { record.isFavorite = isFavorite }
        if let isHidden = edit.isHidden { record.isHidden = isHidden }
        try setRating(edit.rating, of: &record)
        for keyword in edit.addedKeywords
        where !keyword.isEmpty && !record.keywords.contains(keyword) {
            record.keywords.append(keyword)
        }
        if !edit.removedKeywords.isEmpty {
            record.keywords.removeAll(where: edit.removedKeywords.contains)
        }
        if let isEnabled = edit.isLivePhotoPlaybackEnabled {
            guard record.mediaSubtypes.contains(.photoLive) else {
                throw ChangeProblem.notALivePhoto(record.localIdentifier)
            }
            record.playbackStyle = isEnabled ? .livePhoto : .image
        }
        if let isPick = edit.isBurstPick {
            guard record.burstIdentifier != nil, !record.isLoneFrame else {
                throw ChangeProblem.noBurst(record.localIdentifier)
            }
            if isPick {
                record.burstSelectionTypes.insert(.userPick)
            } else {
                record.burstSelectionTypes.remove(.userPick)
            }
        }
        if let choice = edit.originalResourceChoice {
            guard choice == 0 || choice == 1 else {
                throw ChangeProblem.value(
                    "\(choice) is not a valid choice of an original.",
                    reason: "0 stands for the compressed original, 1 for the RAW.",
                    recovery: "Pass one of the cases of PHAsset.OriginalResourceChoice."
                )
            }
            guard try hasAlternate() else { throw ChangeProblem.noChoice(record.localIdentifier) }
            record.originalResourceChoice = choice
        }
        record.personFacts.formUnion(SettableFacts(differingIn: before, record))
    }

    // MARK: - Dates and places

    private func setDate(_ edit: FieldEdit<Date>?, of record: inout AssetRecord) throws {
        switch edit {
        case nil: break
        case .clear:
            record.creationDate = nil
            record.captureTime = nil
        case .set(let date):
            guard date != record.creationDate else { return }
            let seconds = date.timeIntervalSince1970
            guard Self.secondsOfDates.contains(seconds) else {
                throw ChangeProblem.value(
                    "The creation date is outside the years 1 to 9999.",
                    reason: "It is \(seconds) seconds after 1970.",
                    recovery: "Set a valid date, or nil for none."
                )
            }
            let known = knownOffset(of: record.captureTime, at: date)
            let offset = known ?? timeZone.secondsFromGMT(for: date)
            record.creationDate = date
            record.captureTime = CaptureTime(
                instant: date,
                wallTime: WallTime(secondsSince1970: seconds + Double(offset)).text,
                offset: known,
                wallTimeSource: .user,
                instantSource: .user
            )
        }
    }

    /// Returns the offset of an asset's clock from UTC at a new date; nil if it is unknown.
    ///
    /// If the known offset is the one of this machine's time zone at the previous date, the new
    /// one is the zone's at the new date, so daylight saving time applies. Other offsets are kept.
    private func knownOffset(of time: CaptureTime?, at date: Date) -> Int? {
        guard let time, let offset = time.offset else { return nil }
        guard offset == timeZone.secondsFromGMT(for: time.instant) else { return offset }
        let zoneOffset = timeZone.secondsFromGMT(for: date)
        // Before about 1900, zones had local mean times, which metadata cannot state as offsets.
        return zoneOffset.isMultiple(of: 900) ? zoneOffset : nil
    }

    private func setLocation(_ edit: FieldEdit<Location>?, of record: inout AssetRecord) throws {
        switch edit {
        case nil: break
        case .clear: record.location = nil
        case .set(var location):
            guard (-90...90).contains(location.latitude),
                (-180...180).contains(location.longitude)
            else {
                throw ChangeProblem.value(
                    "There is no location at latitude \(location.latitude), longitude"
                        + " \(location.longitude).",
                    reason: "Latitudes are from -90 to 90 degrees, longitudes from -180 to 180.",
                    recovery: "Set a valid location, or nil for none."
                )
            }
            if let altitude = location.altitude, !altitude.isFinite { location.altitude = nil }
            record.location = location
        }
    }

    // MARK: - Texts and numbers

    private func setRating(_ rating: Int?, of record: inout AssetRecord) throws {
        guard let rating else { return }
        guard (-1...5).contains(rating) else {
            throw ChangeProblem.value(
                "\(rating) is not a valid rating.",
                reason: "Ratings are 1 to 5 stars, 0 for none, and -1 for rejected.",
                recovery: "Set a rating from -1 to 5."
            )
        }
        record.rating = rating
    }

    /// Returns the text that an edit sets; nil if the edit clears the text or sets it to an empty
    /// string (behavior 146).
    private static func text(_ edit: FieldEdit<String>) -> String? {
        switch edit {
        case .clear: nil
        case .set(let text): text.isEmpty ? nil : text
        }
    }
}
