package import Foundation
package import PhotoModel
package import WorkerProtocol

/// The editable metadata in a file or a sidecar: the fields that a sidecar may change.
package struct SidecarStatement: Hashable, Sendable {
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// The rating; nil if missing, whereas 0 removes a rating.
    package var rating: Int?
    package var location: Location?
    /// The capture time; nil if no date is written.
    package var captureTime: CaptureTime?
    /// The time when the metadata was last written (`xmp:MetadataDate`).
    package var metadataDate: Date?
    /// Indicates whether it states all metadata: what it leaves out, the asset does not have.
    package var isComplete = false

    /// Creates a statement without any metadata.
    package init() {
        keywords = []
        isComplete = false
    }

    /// Creates the statement from a file's facts and the record derived from them.
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
