internal import Foundation
internal import PhotoModel

/// The definition of a filter: its name, inputs and effect.
struct FilterDefinition: Sendable {
    let name: String
    let displayName: String
    let categories: [String]
    let inputs: [FilterInput]
    /// Creates the output image from the values of the inputs; returns nil if a required input is
    /// missing.
    let make: @Sendable (FilterValues) -> CIImage?

    init(
        _ name: String,
        _ displayName: String,
        _ categories: [String],
        _ inputs: [FilterInput],
        make: @escaping @Sendable (FilterValues) -> CIImage?
    ) {
        self.name = name
        self.displayName = displayName
        self.categories = categories + [kCICategoryBuiltIn, kCICategoryStillImage]
        self.inputs = inputs
        self.make = make
    }

    /// Creates the definition of a filter that changes the color of each pixel of its input image.
    static func points(
        _ name: String,
        _ displayName: String,
        _ category: String,
        _ inputs: [FilterInput],
        operations: @escaping @Sendable (FilterValues) -> [PointOperation]
    ) -> FilterDefinition {
        FilterDefinition(
            name,
            displayName,
            [category, kCICategoryNonSquarePixels, kCICategoryVideo],
            [.image] + inputs
        ) { values in
            guard let image = values.image() else { return nil }
            let operations = operations(values)
            return operations.isEmpty ? image : image.adding(.point(operations))
        }
    }

    func input(_ key: String) -> FilterInput? { inputs.first { $0.key == key } }

    /// All filters, by name.
    static let all: [String: FilterDefinition] = Dictionary(
        uniqueKeysWithValues: (photoEffects + colorFilters + colorEffects + detailFilters
            + geometryFilters).map { ($0.name, $0) }
    )
}

/// The values of a filter's inputs.
struct FilterValues {
    private let definition: FilterDefinition
    private let values: [String: Any]

    init(_ definition: FilterDefinition, _ values: [String: Any]) {
        self.definition = definition
        self.values = values
    }

    func image(_ key: String = kCIInputImageKey) -> CIImage? { values[key] as? CIImage }

    /// Returns the value of a number input, clamped to the input's valid range.
    func number(_ key: String) -> Double {
        guard let input = definition.input(key),
            case .number(let standard, _, let range, _, _) = input.kind
        else { return 0 }
        let number = (values[key] as? NSNumber)?.doubleValue ?? standard
        return range.map { min(max(number, $0.lowerBound), $0.upperBound) } ?? number
    }

    func vector(_ key: String) -> CIVector {
        values[key] as? CIVector ?? definition.input(key)?.defaultValue as? CIVector
            ?? CIVector(values: [])
    }

    func color(_ key: String) -> CIColor {
        values[key] as? CIColor ?? definition.input(key)?.defaultValue as? CIColor ?? .black
    }

    func transform(_ key: String) -> CGAffineTransform {
        values[key] as? CGAffineTransform ?? .identity
    }
}
