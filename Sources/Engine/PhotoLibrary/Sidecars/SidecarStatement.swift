package import Foundation
package import PhotoModel
package import WorkerProtocol

/// The editable metadata in a file or a sidecar: the fields that a sidecar may change.
package struct SidecarStatement: Hashable, Sendable {
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// The rating; 0 removes a rating, and nil means that none is stated.
    package var rating: Int?
    package var location: Location?
    /// The capture time; nil if no date is written.
    package var captureTime: CaptureTime?
    /// The time when the metadata was last written (`xmp:MetadataDate`).
    package var metadataDate: Date?
    /// Indicates whether the sidecar states all metadata of the asset, so that a missing field
    /// means an empty value.
    package var isComplete = false

    /// Creates an empty statement.
    package init() {
        keywords = []
        isComplete = false
    }

    /// Creates the statement from the facts that were read from a file and the asset record derived
    /// from these facts.
    package init(_ facts: MediaFacts, _ record: AssetRecord) {
        title = record.title
        caption = record.caption
        keywords = record.keywords
        rating = facts.rating
        isComplete = facts.isComplete && facts.format == .xmp
        location = record.location
        captureTime = record.captureTime.flatMap { $0.wallTimeSource == .fileTime ? nil : $0 }
        metadataDate = Self.date(of: facts)
    }

    /// Returns the time when a file's metadata was last written.
    static func date(of facts: MediaFacts) -> Date? {
        facts.metadataDate.flatMap(WrittenDateParser.parse).map { date in
            Date(
                timeIntervalSince1970: date.wallTime.secondsSince1970 - Double(date.offset ?? 0)
            )
        }
    }
}
