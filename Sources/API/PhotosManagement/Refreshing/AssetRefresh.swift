public import Foundation
internal import LibraryService
internal import PhotoModel

/// The result of reading an asset's originals again.
public struct AssetRefresh: Sendable, Hashable {
    /// The outcome for an asset.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Values of the asset were updated, or one of its files became a separate asset.
        case refreshed
        /// No value was updated: each one matches the originals, or was set by a person or program
        /// and is kept.
        case unchanged
        /// A file of the asset could not be read, or is no longer the file that was imported.
        case failed
        /// A file of the asset, or the asset itself, is missing.
        case missing
    }

    /// The value of a property.
    public enum Value: Sendable, Hashable {
        /// A text.
        case text(String)
        /// A number, or the raw value of an enumeration or option set.
        case number(Double)
        /// A date.
        case date(Date)
        /// A location: degrees, and the altitude in meters when known.
        case location(latitude: Double, longitude: Double, altitude: Double?)
        /// A list of strings.
        case texts([String])
    }

    /// The old and the new value of one property.
    public struct Change: Sendable, Hashable {
        /// The name of the property, as in ``HistoryEntry``; `files` for the files of the asset.
        public var property: String
        /// The old value; nil for none.
        public var oldValue: Value?
        /// The new value; nil for none.
        public var newValue: Value?
    }

    /// The outcome.
    public var outcome: Outcome
    /// The asset's local identifier.
    public var localIdentifier: String
    /// The file name of the asset's original; nil when the asset does not exist.
    public var originalFilename: String?
    /// The reason for a failure, or a remark.
    public var reason: String?
    /// The updated properties, sorted alphabetically.
    public var changes: [Change]

    init(_ outcome: RefreshOutcome) {
        self.outcome =
            switch outcome.kind {
            case .refreshed: .refreshed
            case .unchanged: .unchanged
            case .failed: .failed
            case .missing: .missing
            }
        localIdentifier = outcome.localIdentifier
        originalFilename = outcome.filename
        reason = outcome.reason
        changes = outcome.changes.map { change in
            Change(
                property: change.property,
                oldValue: change.old.map(Value.init),
                newValue: change.new.map(Value.init)
            )
        }
    }
}

extension AssetRefresh.Value {
    fileprivate init(_ value: RefreshValue) {
        self =
            switch value {
            case .text(let text): .text(text)
            case .number(let number): .number(number)
            case .date(let date): .date(date)
            case .location(let place):
                .location(
                    latitude: place.latitude,
                    longitude: place.longitude,
                    altitude: place.altitude
                )
            case .texts(let texts): .texts(texts)
            }
    }
}
