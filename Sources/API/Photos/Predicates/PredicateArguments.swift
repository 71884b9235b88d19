internal import CLinuxShim
internal import Foundation
internal import LibraryService

/// The arguments for the placeholders of a format, in order.
enum PredicateArguments {
    case values([Any?])
    /// A C argument list, which can be read only after all placeholders are known.
    case list(CVaListPointer)

    /// Returns one value for each placeholder that takes an argument.
    func values(
        for placeholders: [PredicatePlaceholder]
    ) -> [Any?] {
        switch self {
        case .values(let values): values
        case .list(let list): Self.read(list, as: placeholders)
        }
    }

    private static func read(
        _ list: CVaListPointer,
        as placeholders: [PredicatePlaceholder]
    ) -> [Any?] {
        let kinds: [UInt8] = placeholders.map { placeholder in
            switch placeholder.kind {
            case .number(.integer32), .number(.unsigned32): UInt8(CPHOTOS_ARGUMENT_INT32)
            case .number(.integer64), .number(.unsigned64): UInt8(CPHOTOS_ARGUMENT_INT64)
            case .number(.real): UInt8(CPHOTOS_ARGUMENT_REAL)
            case .object, .key, .text, .percent: UInt8(CPHOTOS_ARGUMENT_POINTER)
            }
        }
        var words = [UInt64](repeating: 0, count: kinds.count)
        cphotos_read_arguments(list, kinds, kinds.count, &words)
        return zip(placeholders, words).map { placeholder, word -> Any? in
            switch placeholder.kind {
            case .number(.integer32): Int64(Int32(truncatingIfNeeded: word))
            case .number(.unsigned32): UInt64(UInt32(truncatingIfNeeded: word))
            case .number(.integer64): Int64(bitPattern: word)
            case .number(.unsigned64): word
            case .number(.real): Double(bitPattern: word)
            case .text:
                UnsafePointer<CChar>(bitPattern: UInt(word)).map { String(cString: $0) }
            case .object, .key, .percent:
                // The caller must pass an object if the format specifies one, as in C.
                UnsafeRawPointer(bitPattern: UInt(word)).map {
                    Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as Any
                }
            }
        }
    }
}

/// Converts a client's values to the constants of a predicate.
enum PredicateConstant {
    /// Returns the constant or the list of constants for a value, or nil for an unsupported type.
    static func expression(for value: Any?) -> PredicateTerm? {
        guard let value = unwrapped(value), !(value is NSNull) else { return .value(.null) }
        if let scalar = scalar(value) { return .value(scalar) }
        switch value {
        case let object as PHObject: return .value(.object(object.localIdentifier))
        case let result as any FetchResultIdentifiers:
            return .list(result.localIdentifiers.map { .value(.object($0)) })
        case let array as [Any]: return list(array)
        case let set as Set<AnyHashable>: return list(set.map(\.base))
        case let set as NSSet: return list(set.allObjects)
        case let set as NSOrderedSet: return list(set.array)
        default: break
        }
        if let raw = value as? any RawRepresentable { return expression(for: raw.rawValue) }
        return nil
    }

    /// Returns the constant for a number, a Boolean, a string, a date, a UUID or a URL, or nil for
    /// any other type.
    static func scalar(_ value: Any) -> PredicateValue? {
        // Swift's own types come first, because a cast to a class would box them.
        if let value = value as? any BinaryInteger { return number(value) }
        if let value = value as? any BinaryFloatingPoint { return .real(Double(value)) }
        if type(of: value) == Bool.self, let value = value as? Bool { return .bool(value) }
        switch value {
        case let date as Date: return .date(date)
        case let text as String: return .string(text)
        case let text as Substring: return .string(String(text))
        case let number as NSNumber: return self.number(number)
        case let identifier as UUID: return .string(identifier.uuidString)
        case let url as URL: return .string(url.absoluteString)
        default: return nil
        }
    }

    private static func number(_ value: some BinaryInteger) -> PredicateValue {
        Int64(exactly: value).map { .integer($0) } ?? .real(Double(value))
    }

    private static func number(_ value: NSNumber) -> PredicateValue {
        switch String(cString: value.objCType) {
        case "f", "d": .real(value.doubleValue)
        case "Q": number(value.uint64Value)
        default: .integer(value.int64Value)
        }
    }

    private static func list(_ values: [Any]) -> PredicateTerm? {
        var elements: [PredicateTerm] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = expression(for: value) else { return nil }
            elements.append(element)
        }
        return .list(elements)
    }

    /// Unwraps nested optionals inside `Any`.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap { unwrapped($0) }
    }
}

private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
