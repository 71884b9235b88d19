package import Foundation
package import PhotoModel
package import WorkerProtocol

/// The editable metadata in a file or a sidecar: the fields that a sidecar may change.
package struct SidecarStatement: Hashable, Sendable {
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// The rating; 0 removes the rating, and nil means that the file contains no rating.
    package var rating: Int?
    package var location: Location?
    /// The capture time; nil if the file contains no date.
    package var captureTime: CaptureTime?
    /// The time when the metadata was last written (`xmp:MetadataDate`).
    package var metadataDate: Date?
    /// Indicates whether the sidecar contains all of the asset's metadata, so that a missing field
    /// means an empty value.
    package var isComplete = false

    /// Creates an empty statement.
    package init() {
        keywords = []
        isComplete = false
    }

    /// Creates a statement from the facts in a file and the asset record derived from the facts.
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
