internal import Foundation
internal import PhotoModel

/// A filter: what it is called, what it takes, and what it does.
struct FilterDefinition: Sendable {
    let name: String
    let displayName: String
    let categories: [String]
    let inputs: [FilterInput]
    /// Makes the picture; nil when what it needs is not there.
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

    /// A filter that changes the colours of one picture.
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

    /// All that there are, by name.
    static let all: [String: FilterDefinition] = Dictionary(
        uniqueKeysWithValues: (photoEffects + colorFilters + colorEffects + detailFilters
            + geometryFilters).map { ($0.name, $0) }
    )
}

/// What a filter's inputs are set to.
struct FilterValues {
    private let definition: FilterDefinition
    private let values: [String: Any]

    init(_ definition: FilterDefinition, _ values: [String: Any]) {
        self.definition = definition
        self.values = values
    }

    func image(_ key: String = kCIInputImageKey) -> CIImage? { values[key] as? CIImage }

    /// A number, within what makes sense.
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
