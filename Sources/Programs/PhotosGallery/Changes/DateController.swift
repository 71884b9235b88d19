internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// Sets and shifts capture dates, using the cameras' local times.
///
/// If the offset of a camera's clock from UTC is unknown, or is the one of this machine's time zone
/// at the photo's date, its time is interpreted in that zone, as on import.
struct DateController {
    /// The maximum shift, in seconds; larger shifts are refused, since dates would overflow.
    private static let shiftLimit = 3_652_500.0 * 86_400

    let controller: ChangeController

    /// Sets the date of all assets to the value in the command.
    ///
    /// A time with a zone is an instant, a time without one is the local time of each camera's
    /// clock, and null removes the date.
    func set() throws -> ChangeController.Outcome {
        switch controller.command.value {
        case .none?: return try change { _, _ in .some(nil) }
        case .text(let text)?:
            if let date = Self.instant(text) { return try change { _, _ in .some(date) } }
            guard let wall = Self.wall(text) else { break }
            return try change { _, facts in .some(Self.instant(ofWall: wall, facts)) }
        default: break
        }
        throw controller.bad("an ISO 8601 time, with a zone or in camera time, or null")
    }

    /// Shifts the dates of all assets by a number of seconds; assets without a date are left
    /// unchanged.
    func shift() throws -> ChangeController.Outcome {
        guard case .number(let seconds)? = controller.command.value, abs(seconds) < Self.shiftLimit
        else {
            throw controller.bad("a number of seconds")
        }
        return try change { asset, facts in
            guard let date = asset.creationDate else { return nil }
            // Across a daylight saving change, the camera's local time shifts by exactly that
            // amount.
            if let facts, facts.utcOffset == nil, let clock = facts.clockTime,
                let wall = Self.wall(clock)
            {
                return .some(Self.instant(ofWall: wall + seconds, facts))
            }
            let shifted = date + seconds
            guard let facts, let offset = facts.utcOffset, Self.isOfMachine(facts) else {
                return .some(shifted)
            }
            let wall = shifted.timeIntervalSince1970 + Double(offset)
            // Offsets are whole seconds; rounding keeps the fractions of the date exact.
            let correction = Self.instant(ofMachineWall: wall).timeIntervalSince(shifted).rounded()
            return .some(shifted + correction)
        }
    }

    /// Sets the date of each asset to the date that `rule` returns.
    ///
    /// The asset remains unchanged if `rule` returns nil.
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

    /// Parses a local time, `YYYY-MM-DDTHH:MM[:SS[.fff]]`, into seconds since 1970 as if it were in
    /// UTC.
    private static func wall(_ text: String) -> Double? {
        instant((text.count == 16 ? text + ":00" : text) + "Z")?.timeIntervalSince1970
    }

    /// Returns the instant at which a camera's clock showed a local time.
    private static func instant(ofWall wall: Double, _ facts: CaptureFacts?) -> Date {
        if let facts, let offset = facts.utcOffset, !isOfMachine(facts) {
            return Date(timeIntervalSince1970: wall - Double(offset))
        }
        return instant(ofMachineWall: wall)
    }

    /// Returns whether a known offset is the one of this machine's time zone at the photo's date.
    ///
    /// The library then adapts the offset to the new date.
    private static func isOfMachine(_ facts: CaptureFacts) -> Bool {
        facts.utcOffset == TimeZone.current.secondsFromGMT(for: facts.date)
    }

    /// Returns the instant at which a clock in this machine's time zone shows a local time.
    ///
    /// As on import, a time that occurs twice resolves to the first occurrence, and a time that
    /// clocks skip is resolved with the earlier offset.
    private static func instant(ofMachineWall wall: Double) -> Date {
        let day = 86_400.0
        func offset(at seconds: Double) -> Double {
            Double(TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        }
        let before = offset(at: wall - day)
        let after = offset(at: wall + day)
        let shown = [before, after].first { offset(at: wall - $0) == $0 } ?? before
        return Date(timeIntervalSince1970: wall - shown)
    }
}
