internal import Foundation

/// An input of a filter.
struct FilterInput: Sendable {
    /// The type of an input's value, and its default.
    enum Kind: Sendable {
        case image
        /// A number. Valid values are in `range`, and user interfaces should offer values in
        /// `slider`.
        case number(
            default: Double,
            identity: Double,
            range: ClosedRange<Double>?,
            slider: ClosedRange<Double>,
            type: String
        )
        case color(red: Double, green: Double, blue: Double)
        case vector([Double], type: String)
        case transform
    }

    /// The key, such as `inputIntensity`.
    let key: String
    let kind: Kind
    let help: String

    static let image = FilterInput(key: kCIInputImageKey, kind: .image, help: "The image.")

    static func number(
        _ key: String,
        default value: Double,
        identity: Double? = nil,
        range: ClosedRange<Double>? = nil,
        slider: ClosedRange<Double>,
        type: String = kCIAttributeTypeScalar,
        _ help: String
    ) -> FilterInput {
        let kind = Kind.number(
            default: value,
            identity: identity ?? value,
            range: range,
            slider: slider,
            type: type
        )
        return FilterInput(key: key, kind: kind, help: help)
    }

    static func vector(
        _ key: String,
        _ numbers: [Double],
        type: String = kCIAttributeTypeOffset,
        _ help: String
    ) -> FilterInput {
        FilterInput(key: key, kind: .vector(numbers, type: type), help: help)
    }

    /// The default value; nil for images.
    var defaultValue: Any? {
        switch kind {
        case .image: nil
        case .number(let value, _, _, _, _): NSNumber(value: value)
        case .color(let red, let green, let blue): CIColor(red: red, green: green, blue: blue)
        case .vector(let numbers, _): CIVector(numbers)
        case .transform: CGAffineTransform.identity
        }
    }

    /// Converts a value to the type in which filters store this input.
    ///
    /// The result is nil if the value has the wrong type or is out of range.
    func normalized(_ value: Any) -> Any? {
        switch kind {
        case .image: return value as? CIImage
        case .number:
            guard let number = Self.number(value), number.isFinite else { return nil }
            return NSNumber(value: number)
        case .color:
            guard let color = value as? CIColor else { return nil }
            let components = [color.red, color.green, color.blue, color.alpha]
            return components.allSatisfy { abs($0) <= 1000 } ? color : nil
        case .vector(let numbers, _):
            let vector: CIVector
            switch value {
            case let found as CIVector: vector = found
            case let point as CGPoint: vector = CIVector(cgPoint: point)
            case let rect as CGRect: vector = CIVector(cgRect: rect)
            default: return nil
            }
            // Missing components are zero; more components than the filter reads are an error.
            return vector.count <= max(numbers.count, 4) && vector.isFinite ? vector : nil
        case .transform:
            switch value {
            case let transform as CGAffineTransform: return transform
            case let vector as CIVector where vector.count == 6 && vector.isFinite:
                return vector.cgAffineTransformValue
            case let transform as AffineTransform:
                return CGAffineTransform(
                    a: transform.m11,
                    b: transform.m12,
                    c: transform.m21,
                    d: transform.m22,
                    tx: transform.tX,
                    ty: transform.tY
                )
            default: return nil
            }
        }
    }

    /// A description of the values that the input accepts, for error messages.
    var kindName: String {
        switch kind {
        case .image: "a CIImage"
        case .number: "a finite number"
        case .color: "a CIColor with components of -1000...1000"
        case .vector: "a CIVector of finite numbers"
        case .transform: "a CGAffineTransform"
        }
    }

    private static func number(_ value: Any) -> Double? {
        switch value {
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as CGFloat: Double(number)
        case let number as Bool: number ? 1 : 0
        case let number as any BinaryInteger: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }
}

extension CIVector {
    /// Indicates whether all components are finite.
    fileprivate var isFinite: Bool { (0..<count).allSatisfy { value(at: $0).isFinite } }

    convenience init(_ numbers: [Double]) {
        self.init(values: numbers.map { CGFloat($0) })
    }
}
