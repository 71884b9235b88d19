public import Foundation
internal import LibraryService
internal import PhotoModel

/// What became of an asset whose originals were read again.
public struct AssetRefresh: Sendable, Hashable {
    /// What became of it.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Values of it were updated, or a file of it became an asset of its own.
        case refreshed
        /// It has the values that reading gives, or that people and programs set.
        case unchanged
        /// One of its files could not be read, or is not the one that was imported.
        case failed
        /// One of its files, or the asset itself, is not there.
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
        /// A place: degrees, and meters where they are known.
        case location(latitude: Double, longitude: Double, altitude: Double?)
        /// A list of texts.
        case texts([String])
    }

    /// The old and the new value of one property.
    public struct Change: Sendable, Hashable {
        /// As ``HistoryEntry`` names it; `files` for the files of the asset.
        public var property: String
        /// Nil for none.
        public var oldValue: Value?
        /// Nil for none.
        public var newValue: Value?
    }

    /// What became of it.
    public var outcome: Outcome
    /// The asset.
    public var localIdentifier: String
    /// The name of its original; nil when there is no such asset.
    public var originalFilename: String?
    /// Why it failed, or a remark.
    public var reason: String?
    /// What was updated, by property in alphabetic order.
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
