/// A value of a TIFF directory: its type, count and bytes.
package struct TagValue {
    package var type: Int
    package var count: Int
    package var bytes: [UInt8]
    package var isBigEndian: Bool

    package init(type: Int, count: Int, bytes: [UInt8], isBigEndian: Bool) {
        self.type = type
        self.count = count
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    /// Returns the size, in bytes, of one value of a type; nil for types that TIFF does not define.
    package static func size(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: nil
        }
    }

    /// The value as cleaned text, up to the first NUL; nil if the result is empty or the type is
    /// numeric.
    package var text: String? {
        type == 2 || type == 7 || type == 1 ? Text.clean(bytes) : nil
    }

    /// The cleaned text of a date tag; nil if the type is neither ASCII nor undefined, or if the
    /// text is empty.
    package var writtenText: String? {
        guard type == 2 || type == 7 else { return nil }
        return Text.clean(bytes)
    }

    package var integer: Int? { integer(at: 0) }

    package func integer(at index: Int) -> Int? {
        guard let size = Self.size(ofType: type), index >= 0,
            case (let offset, false) = index.multipliedReportingOverflow(by: size)
        else { return nil }
        let number = withView { $0.number(at: offset, length: size, isBigEndian: isBigEndian) }
        guard let number else { return nil }
        switch type {
        case 1, 7, 3, 4, 13: return Int(number)
        case 6: return Int(Int8(truncatingIfNeeded: number))
        case 8: return Int(Int16(truncatingIfNeeded: number))
        case 9: return Int(Int32(truncatingIfNeeded: number))
        case 16, 17, 18: return Int(exactly: number)
        default: return nil
        }
    }

    package var double: Double? { double(at: 0) }

    /// Returns the value at an index as a number, whatever its numeric type.
    ///
    /// Returns nil for a denominator of zero and for a value that is not finite.
    package func double(at index: Int) -> Double? {
        guard let size = Self.size(ofType: type), index >= 0,
            case (let offset, false) = index.multipliedReportingOverflow(by: size)
        else { return nil }
        func word(_ at: Int, _ length: Int) -> UInt64? {
            withView { $0.number(at: at, length: length, isBigEndian: isBigEndian) }
        }
        switch type {
        case 5:
            guard let above = word(offset, 4), let below = word(offset + 4, 4), below != 0 else {
                return nil
            }
            return Double(above) / Double(below)
        case 10:
            guard let above = word(offset, 4), let below = word(offset + 4, 4), below != 0 else {
                return nil
            }
            return Double(Int32(truncatingIfNeeded: above))
                / Double(Int32(truncatingIfNeeded: below))
        case 11:
            guard let pattern = word(offset, 4) else { return nil }
            let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
            return value.isFinite ? value : nil
        case 12:
            guard let pattern = word(offset, 8) else { return nil }
            let value = Double(bitPattern: pattern)
            return value.isFinite ? value : nil
        default:
            return integer(at: index).map { Double($0) }
        }
    }

    package func withView<Result>(_ body: (ByteView) -> Result) -> Result {
        bytes.withUnsafeBytes { body(ByteView($0)) }
    }
}
