package import Foundation
package import PhotoModel
package import WorkerProtocol

/// What a file or a sidecar says of what people write: the fields that a sidecar may change.
package struct SidecarStatement: Hashable, Sendable {
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// Nil when it says nothing, which 0 is not: that takes a rating away.
    package var rating: Int?
    package var location: Location?
    /// Nil when no date is written.
    package var captureTime: CaptureTime?
    /// When the metadata was last written (xmp:MetadataDate).
    package var metadataDate: Date?

    /// Takes the statement from a file's facts and the record that was drafted of them.
    package init(_ facts: MediaFacts, _ record: AssetRecord) {
        title = record.title
        caption = record.caption
        keywords = record.keywords
        rating = facts.rating
        location = record.location
        captureTime = record.captureTime.flatMap { $0.wallTimeSource == .fileTime ? nil : $0 }
        metadataDate = facts.metadataDate.flatMap(WrittenDateParser.parse).map { date in
            Date(
                timeIntervalSince1970: date.wallTime.secondsSince1970 - Double(date.offset ?? 0)
            )
        }
    }
}
