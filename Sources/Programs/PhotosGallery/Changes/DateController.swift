internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Sets and shifts when photos were taken, by the clocks of their cameras.
///
/// Where the offset of a camera's clock from UTC is not known, its time is taken for one of this machine's
/// time zone, as on import.
struct DateController {
    /// Dates of calendars, about; further shifts are refused before they overflow.
    private static let shiftLimit = 3_652_500.0 * 86_400

    let controller: ChangeController

    /// Makes the command's value the date of all its assets.
    ///
    /// A time with a zone is an instant, one without is what each camera's clock showed, null is no date.
    func set() throws -> ChangeController.Outcome {
        switch controller.command.value {
        case .none?: return try change { _, _ in .some(nil) }
        case .text(let text)?:
            if let date = Self.instant(text) { return try change { _, _ in .some(date) } }
            guard let wall = Self.wall(text) else { break }
            return try change { _, facts in .some(Self.instant(ofWall: wall, facts)) }
        default: break
        }
        throw controller.bad("an ISO 8601 time, with a zone or by the camera's clock, or null")
    }

    /// Moves the dates of all assets by as many seconds; what has no date stays without.
    func shift() throws -> ChangeController.Outcome {
        guard case .number(let seconds)? = controller.command.value, abs(seconds) < Self.shiftLimit
        else {
            throw controller.bad("a number of seconds")
        }
        return try change { asset, facts in
            guard let date = asset.creationDate else { return nil }
            // Over a change of the clocks, what the camera's clock shows moves by that much.
            if let facts, facts.utcOffset == nil, let clock = facts.clockTime,
                let wall = Self.wall(clock)
            {
                return .some(Self.instant(ofWall: wall + seconds, facts))
            }
            return .some(date + seconds)
        }
    }

    /// Gives assets the dates of a rule, which leaves those as they are for which it returns nil.
    private func change(_ rule: (PHAsset, CaptureFacts?) -> Date??) throws
        -> ChangeController.Outcome
    {
        let assets = try controller.assets()
        var facts: [String: CaptureFacts] = [:]
        for fact in try controller.library.facts(for: assets.map(\.localIdentifier)) {
            facts[fact.localIdentifier] = fact.capture
        }
        let dates = assets.compactMap { asset in
            rule(asset, facts[asset.localIdentifier]).map { (asset, $0) }
        }
        if !dates.isEmpty {
            try controller.commit {
                for (asset, date) in dates { PHAssetChangeRequest(for: asset).creationDate = date }
            }
        }
        return ChangeController.Outcome(count: dates.count)
    }

    // MARK: - Times

    private static func instant(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(
                text,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            ))
    }

    /// Seconds from 1970 to a time without a zone, `YYYY-MM-DDTHH:MM[:SS[.fff]]`, as if it were in UTC.
    private static func wall(_ text: String) -> Double? {
        instant((text.count == 16 ? text + ":00" : text) + "Z")?.timeIntervalSince1970
    }

    /// The instant at which a camera's clock showed a time.
    private static func instant(ofWall wall: Double, _ facts: CaptureFacts?) -> Date {
        if let offset = facts?.utcOffset {
            return Date(timeIntervalSince1970: wall - Double(offset))
        }
        var instant = wall
        // The offset is that of the instant, which is not known before: the second step comes closer.
        for _ in 0..<2 {
            let date = Date(timeIntervalSince1970: instant)
            instant = wall - Double(TimeZone.current.secondsFromGMT(for: date))
        }
        return Date(timeIntervalSince1970: instant)
    }
}
