internal import Foundation

/// A namespace for merging dictionaries of image properties.
enum PropertyMerging {
    /// Returns the properties of both dictionaries; for a key in both, the value in `upper`
    /// applies.
    ///
    /// Nested dictionaries are merged, and a null value removes a key.
    static func merge(_ upper: [String: Any], over lower: [String: Any]) -> [String: Any] {
        var result = lower
        for (key, value) in upper {
            if PropertyValue.isNull(value) {
                result[key] = nil
            } else if let inner = PropertyValue.dictionary(value) {
                result[key] = merge(inner, over: PropertyValue.dictionary(result[key]) ?? [:])
            } else {
                result[key] = value
            }
        }
        return result
    }
}

/// Conversions of property values, which programs may pass as Swift or Foundation types.
enum PropertyValue {
    static func isNull(_ value: Any) -> Bool { value is NSNull || value as AnyObject is NSNull }

    static func dictionary(_ value: Any?) -> [String: Any]? {
        guard let value else { return nil }
        if let found = value as? [String: Any] { return found }
        if let found = value as? [NSString: Any] {
            return Dictionary(found.map { ($0.key.description, $0.value) }) { first, _ in first }
        }
        guard let found = value as? NSDictionary else { return nil }
        var result: [String: Any] = [:]
        for (key, value) in found {
            if let key = text(key) { result[key] = value }
        }
        return result
    }

    static func array(_ value: Any) -> [Any]? {
        (value as? [Any]) ?? (value as? NSArray).map { $0.map { $0 } }
    }

    static func text(_ value: Any) -> String? {
        (value as? String) ?? (value as? NSString)?.description
    }

    /// Returns a value as a number; nil if it is neither a number nor a string that contains one.
    static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as Double: number
        case let number as Int: Double(number)
        case let number as UInt32: Double(number)
        case let number as Float: Double(number)
        case let number as CGFloat: Double(number)
        case let number as Bool: number ? 1 : 0
        case let number as any BinaryInteger: Double(number)
        case let number as NSNumber: number.doubleValue
        case let value?: text(value).flatMap { Double($0) }
        case nil: nil
        }
    }

    static func integer(_ value: Any?) -> Int? {
        number(value).flatMap { Int(exactly: $0.rounded()) }
    }

    static func truth(_ value: Any?) -> Bool { (number(value) ?? 0) != 0 }
}
