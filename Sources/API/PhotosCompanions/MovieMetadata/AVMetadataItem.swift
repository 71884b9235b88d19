public import Foundation
internal import PhotoModel

/// An entry that a movie has about itself: where it is written, its name and its value.
///
/// Values are text, as files have them; numbers and dates are read from the text.
open class AVMetadataItem: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked because the class is open and a subclass has setters: those items belong to one thread.

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

    /// Set by subclasses only.
    var entry: Entry

    /// An entry about nothing.
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

    /// An entry of the same values that never changes.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(entry: entry) }

    /// An entry of the same values that never changes.
    open override func copy() -> Any { copy(with: nil) }

    /// An entry of the same values that can be changed.
    open override func mutableCopy() -> Any { AVMutableMetadataItem(entry: entry) }

    // MARK: - Names

    /// Place and name in one.
    open var identifier: AVMetadataIdentifier? {
        guard let space = entry.keySpace, let key = entry.key else { return nil }
        return Self.identifier(forKey: key, keySpace: space)
    }

    /// Where it is written.
    open var keySpace: AVMetadataKeySpace? { entry.keySpace }

    /// Its name there, an `NSString`.
    open var key: (any NSCopying & NSObjectProtocol)? { entry.key.map { NSString(string: $0) } }

    /// The name that such entries have in all kinds of files.
    open var commonKey: AVMetadataKey? {
        guard let space = entry.keySpace, let key = entry.key else { return nil }
        return MetadataNames.common(key, in: space)
    }

    /// Place and name in one.
    open class func identifier(
        forKey key: Any,
        keySpace: AVMetadataKeySpace
    ) -> AVMetadataIdentifier? {
        guard let name = (key as? AVMetadataKey)?.rawValue ?? text(of: key) else { return nil }
        let space = keySpace == .common ? "common" : keySpace.rawValue
        // As QuickTime writes it, © is the one byte A9.
        let plain = name.map { character -> String in
            guard character != "©" else { return "%A9" }
            let text = String(character)
            return text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? text
        }
        return AVMetadataIdentifier(space + "/" + plain.joined())
    }

    // MARK: - Value

    /// Its value: an `NSString`, `NSNumber`, `NSDate` or `NSData`.
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

    /// Its value as text; nil for bytes.
    open var stringValue: String? {
        switch entry.value {
        case .text(let text): text
        case .number(let number): NSNumber(value: number).stringValue
        case .date(let date): ISO8601DateFormatter().string(from: date)
        case .data, nil: nil
        }
    }

    /// Its value as a number; nil where it is none.
    open var numberValue: NSNumber? {
        switch entry.value {
        case .text(let text):
            Double(text.trimmingCharacters(in: .whitespaces)).map { NSNumber(value: $0) }
        case .number(let number): NSNumber(value: number)
        case .date, .data, nil: nil
        }
    }

    /// Its value as an instant; nil where it is none, or has no offset from UTC.
    open var dateValue: Date? {
        switch entry.value {
        case .text(let text): MetadataDate.instant(text)
        case .date(let date): date
        case .number, .data, nil: nil
        }
    }

    /// Its value as bytes: those of the text, in UTF-8.
    open var dataValue: Data? {
        if case .data(let data) = entry.value { return data }
        return stringValue.map { Data($0.utf8) }
    }

    /// The language of its value; nil where it is not said.
    open var locale: Locale? { entry.locale }

    /// The language of its value in BCP 47; nil where it is not said.
    open var extendedLanguageTag: String? { entry.locale?.identifier(.bcp47) }

    /// When in the movie it holds; invalid for all of it.
    open var time: CMTime { entry.time }

    /// For how long it holds; invalid for all of the movie.
    open var duration: CMTime { entry.duration }

    // MARK: - Finding

    /// Those with an identifier; a common one finds all entries of that common name.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            if item.identifier == identifier { return true }
            return item.commonKey.map { "common/" + $0.rawValue } == identifier.rawValue
        }
    }

    /// Those with a name at a place; nil for any.
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

    /// Whether a value is known: always.
    open func statusOfValue(
        forKey key: String,
        error outError: NSErrorPointer = nil
    ) -> AVKeyValueStatus { .loaded }

    /// Calls back on no particular queue: all values are known.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { handler.value?() }
    }

    /// Identifier and value, for a person.
    open override var description: String {
        "<\(type(of: self)) \(identifier?.rawValue ?? "?") = \(stringValue ?? "?")>"
    }

    static func text(of key: Any) -> String? {
        (key as? String) ?? (key as? NSString).map { String(describing: $0) }
    }
}
