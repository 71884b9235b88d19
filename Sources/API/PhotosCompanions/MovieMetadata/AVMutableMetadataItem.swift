public import Foundation

/// An entry that can be changed, to give a movie that is exported.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Unchecked as its superclass is: it belongs to one thread.

    /// Place and name in one.
    ///
    /// Set, it sets both.
    open override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set {
            let parts = newValue?.rawValue.split(separator: "/", maxSplits: 1) ?? []
            guard parts.count == 2 else {
                entry.keySpace = nil
                entry.key = nil
                return
            }
            entry.keySpace = parts[0] == "common" ? .common : AVMetadataKeySpace(String(parts[0]))
            let name = parts[1].replacingOccurrences(of: "%A9", with: "©")
            entry.key = name.removingPercentEncoding ?? name
        }
    }

    /// Where it is written.
    open override var keySpace: AVMetadataKeySpace? {
        get { entry.keySpace }
        set { entry.keySpace = newValue }
    }

    /// Its name there: text.
    open override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set { entry.key = newValue.flatMap { Self.text(of: $0) } }
    }

    /// Its value: an `NSString`, `NSNumber`, `NSDate` or `NSData`; nil for anything else.
    open override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set {
            entry.value =
                switch newValue {
                case let text as NSString: .text(String(describing: text))
                case let number as NSNumber: .number(number.doubleValue)
                case let date as NSDate:
                    .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
                case let data as NSData: .data(Data(referencing: data))
                default: nil
                }
        }
    }

    /// The language of its value.
    open override var locale: Locale? {
        get { entry.locale }
        set { entry.locale = newValue }
    }

    /// The language of its value in BCP 47.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { entry.locale = newValue.map { Locale(identifier: $0) } }
    }

    /// When in the movie it holds.
    open override var time: CMTime {
        get { entry.time }
        set { entry.time = newValue }
    }

    /// For how long it holds.
    open override var duration: CMTime {
        get { entry.duration }
        set { entry.duration = newValue }
    }
}
