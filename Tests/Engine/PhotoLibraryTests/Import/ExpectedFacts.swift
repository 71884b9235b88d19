import Foundation
import PhotoLibrary
import PhotoModel

/// The facts that independent tools report for a camera file: a row of `expected.tsv`.
struct ExpectedFacts {
    let row: [String: String]

    private func number(_ column: String) -> Double? { row[column].flatMap(Double.init) }

    private func text(_ column: String) -> String? {
        row[column].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the number of compared facts, and those that differ.
    func compare(with asset: AssetRecord) -> (count: Int, differences: [String]) {
        var count = 0
        var differences: [String] = []
        func check(_ name: String, _ isEqual: Bool, _ ours: Any?, _ theirs: Any?) {
            count += 1
            if !isEqual {
                differences.append(
                    "\(name) \(ours.map { "\($0)" } ?? "nil"), expected \(theirs.map { "\($0)" } ?? "nil")"
                )
            }
        }
        if let width = number("display_width"), let height = number("display_height") {
            let size = PixelSize(width: Int(width), height: Int(height))
            check("size", asset.pixelSize == size, asset.pixelSize, size)
        }
        if let type = text("uti") {
            check("type", asset.contentType == type, asset.contentType, type)
        }
        if let instant = instant {
            let ours = asset.creationDate?.timeIntervalSince1970
            check("instant", abs((ours ?? 0) - instant) < 1, ours, instant)
        }
        if let latitude = number("latitude"), let longitude = number("longitude"),
            abs(latitude) <= 90, abs(longitude) <= 180
        {
            // Devices without a fix write 0, 0, which is not a place.
            let isPlace = latitude != 0 || longitude != 0
            let isNear =
                isPlace
                ? abs((asset.location?.latitude ?? 999) - latitude) < 1e-4
                    && abs((asset.location?.longitude ?? 999) - longitude) < 1e-4
                : asset.location == nil
            check("place", isNear, asset.location, (latitude, longitude))
        }
        if let duration = number("duration"), asset.mediaType == .video {
            check("duration", abs(asset.duration - duration) < 0.05, asset.duration, duration)
        }
        if let burst = text("burst_uuid") {
            check("burst", asset.burstIdentifier == burst, asset.burstIdentifier, burst)
        }
        if let identifier = text("content_identifier") {
            check(
                "content identifier",
                asset.contentIdentifier == identifier,
                asset.contentIdentifier,
                identifier
            )
        }
        return (count, differences)
    }

    /// The capture instant if an offset is known and the date is valid.
    private var instant: Double? {
        guard let date = text("capture_date").flatMap(WrittenDateParser.parse),
            date.wallTime.isPlausible, date.wallTime.hasTime,
            let offset = date.offset
                ?? text("capture_offset").flatMap(WrittenDateParser.parseOffset)
        else { return nil }
        let fraction = text("subsec").flatMap { Double("0." + $0) } ?? 0
        return date.wallTime.secondsSince1970 + fraction - Double(offset)
    }
}
