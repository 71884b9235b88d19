public import Foundation

/// A mutable metadata item, for the metadata of an exported movie.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Unchecked like its superclass; a mutable item belongs to one thread.

    /// The identifier, which combines key space and key.
    ///
    /// Setting the identifier sets the key space and the key.
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
            entry.key = Self.key(encoded: parts[1])
        }
    }

    /// Decodes the percent-encoded key of an identifier.
    ///
    /// The key is UTF-8, except for ©, which is the single byte A9.
    private static func key(encoded text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), digits.count == 2 else {
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            let code = UInt8(digits[0] << 4 | digits[1])
            // In UTF-8, A9 only continues a character.
            if code == 0xA9, String(validating: bytes, as: UTF8.self) != nil { bytes.append(0xC2) }
            bytes.append(code)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The key space.
    open override var keySpace: AVMetadataKeySpace? {
        get { entry.keySpace }
        set { entry.keySpace = newValue }
    }

    /// The key in its key space, an `NSString`.
    open override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set { entry.key = newValue.flatMap { Self.text(of: $0) } }
    }

    /// The value: an `NSString`, `NSNumber`, `NSDate` or `NSData`; values of other types become
    /// nil.
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

    /// The locale of the value.
    open override var locale: Locale? {
        get { entry.locale }
        set { entry.locale = newValue }
    }

    /// The BCP 47 tag of the value's language.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { entry.locale = newValue.map { Locale(identifier: $0) } }
    }

    /// The time in the movie from which the item applies.
    open override var time: CMTime {
        get { entry.time }
        set { entry.time = newValue }
    }

    /// The duration for which the item applies.
    open override var duration: CMTime {
        get { entry.duration }
        set { entry.duration = newValue }
    }
}
