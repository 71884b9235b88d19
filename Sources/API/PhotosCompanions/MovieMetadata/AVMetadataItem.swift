public import Foundation
internal import PhotoModel

/// A metadata item of a movie: its key space, key and value.
///
/// Values are strings, as in files; numbers and dates are parsed from them.
open class AVMetadataItem: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked because the class is open and a mutable subclass exists, whose items belong to one
    // thread.

    struct Entry: Sendable {
        var keySpace: AVMetadataKeySpace?
        var key: String?
        var value: Value?
        var locale: Locale?
        var time = CMTime.invalid
        var duration = CMTime.invalid
    }

    enum Value: Sendable {
        case text(String)
        case number(Double)
        case date(Date)
        case data(Data)
    }

    /// The item's contents, which only subclasses modify.
    var entry: Entry

    /// Creates an empty item.
    public override init() {
        entry = Entry()
        super.init()
    }

    init(_ item: MovieMetadataItem) {
        entry = Entry(
            keySpace: AVMetadataKeySpace(item.keySpace),
            key: item.key,
            value: .text(item.value)
        )
        super.init()
    }

    init(entry: Entry) {
        self.entry = entry
        super.init()
    }

    /// Returns an immutable item with the same contents.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(entry: entry) }

    /// Returns an immutable item with the same contents.
    open override func copy() -> Any { copy(with: nil) }

    /// Returns a mutable item with the same contents.
    open override func mutableCopy() -> Any { AVMutableMetadataItem(entry: entry) }

    // MARK: - Keys

    /// The identifier, which combines key space and key.
    open var identifier: AVMetadataIdentifier? {
        guard let space = entry.keySpace, let key = entry.key else { return nil }
        return Self.identifier(forKey: key, keySpace: space)
    }

    /// The key space.
    open var keySpace: AVMetadataKeySpace? { entry.keySpace }

    /// The key in its key space, an `NSString`.
    open var key: (any NSCopying & NSObjectProtocol)? { entry.key.map { NSString(string: $0) } }

    /// The common key, which is the same in all file formats; nil if the item has none.
    open var commonKey: AVMetadataKey? {
        guard let space = entry.keySpace, let key = entry.key else { return nil }
        return MetadataNames.common(key, in: space)
    }

    /// Returns the identifier for a key in a key space.
    open class func identifier(
        forKey key: Any,
        keySpace: AVMetadataKeySpace
    ) -> AVMetadataIdentifier? {
        guard let name = (key as? AVMetadataKey)?.rawValue ?? text(of: key) else { return nil }
        let space = keySpace == .common ? "common" : keySpace.rawValue
        // In QuickTime's encoding, © is the single byte A9.
        let plain = name.map { character -> String in
            guard character != "©" else { return "%A9" }
            let text = String(character)
            return text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? text
        }
        return AVMetadataIdentifier(space + "/" + plain.joined())
    }

    // MARK: - Value

    /// The value: an `NSString`, `NSNumber`, `NSDate` or `NSData`.
    open var value: (any NSCopying & NSObjectProtocol)? {
        switch entry.value {
        case .text(let text): NSString(string: text)
        case .number(let number): NSNumber(value: number)
        case .date(let date):
            NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case .data(let data): NSData(data: data)
        case nil: nil
        }
    }

    /// The value as a string; nil for data.
    open var stringValue: String? {
        switch entry.value {
        case .text(let text): text
        case .number(let number):
            // Foundation on Linux writes 3 as 3.0.
            Int64(exactly: number).map { "\($0)" } ?? NSNumber(value: number).stringValue
        case .date(let date): ISO8601DateFormatter().string(from: date)
        case .data, nil: nil
        }
    }

    /// The value as a number; nil if the value can't be converted to a number.
    open var numberValue: NSNumber? {
        switch entry.value {
        case .text(let text):
            Double(text.trimmingCharacters(in: .whitespaces)).map { NSNumber(value: $0) }
        case .number(let number): NSNumber(value: number)
        case .date, .data, nil: nil
        }
    }

    /// The value as a date; nil if it is not a date or has no offset from UTC.
    open var dateValue: Date? {
        switch entry.value {
        case .text(let text): MetadataDate.instant(text)
        case .date(let date): date
        case .number, .data, nil: nil
        }
    }

    /// The value as data: the value itself if it is data, otherwise the UTF-8 bytes of its string.
    open var dataValue: Data? {
        if case .data(let data) = entry.value { return data }
        return stringValue.map { Data($0.utf8) }
    }

    /// The locale of the value; nil if not stated.
    open var locale: Locale? { entry.locale }

    /// The BCP 47 tag of the value's language; nil if not stated.
    open var extendedLanguageTag: String? { entry.locale?.identifier(.bcp47) }

    /// The time in the movie from which the item applies; invalid if it applies to the whole movie.
    open var time: CMTime { entry.time }

    /// The duration for which the item applies; invalid if it applies to the whole movie.
    open var duration: CMTime { entry.duration }

    // MARK: - Filtering

    /// Returns the items with the given identifier; an identifier of the form `common/KEY` also
    /// matches every item whose common key is `KEY`.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            if item.identifier == identifier { return true }
            return item.commonKey.map { "common/" + $0.rawValue } == identifier.rawValue
        }
    }

    /// Returns the items that have the given key and key space; nil matches any key or any key
    /// space.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        withKey key: Any?,
        keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let name = (key as? AVMetadataKey)?.rawValue ?? key.flatMap { text(of: $0) }
        return metadataItems.filter { item in
            if keySpace == .common {
                return item.commonKey != nil && (name == nil || item.commonKey?.rawValue == name)
            }
            return (keySpace == nil || item.keySpace == keySpace)
                && (name == nil || item.entry.key == name)
        }
    }

    // MARK: - Loading

    /// Returns `loaded`, because all values are available from the start.
    open func statusOfValue(
        forKey key: String,
        error outError: NSErrorPointer = nil
    ) -> AVKeyValueStatus { .loaded }

    /// Calls the handler on an unspecified queue; all values are already loaded.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        let handler = UncheckedValue(value: handler)
        MovieQueues.call { handler.value?() }
    }

    /// A debug description with identifier and value.
    open override var description: String {
        "<\(type(of: self)) \(identifier?.rawValue ?? "?") = \(stringValue ?? "?")>"
    }

    static func text(of key: Any) -> String? {
        (key as? String) ?? (key as? NSString).map { String(describing: $0) }
    }
}
