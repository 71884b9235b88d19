import Foundation
import LibraryService
import PhotoModel
import SamplePhotos

/// Fabricates values of Codable types from a seed, without knowing the types.
///
/// Decoding supplies random primitives. Enumerations with associated values need the names of their
/// cases, which are read from the sources.
final class Fabrication {
    /// A value that became too deep.
    struct TooDeep: Error {}

    private static let maximumDepth = 40
    private static let retriedDepth = 20
    /// The depth from which lists are empty and optionals nil.
    private static let richDepth = 8

    var generator: SeededGenerator
    /// The number of values from which lists are empty and optionals nil.
    private let richCount: Int
    /// The text of all strings; nil for random ones.
    private let fixedText: String?
    private var depth = 0
    private var count = 0
    private var cases: [ObjectIdentifier: [any CodingKey]] = [:]

    /// Creates a source of values, small ones on request.
    ///
    /// - Parameters:
    ///   - seed: The seed of the values.
    ///   - isSmall: Whether lists become empty early.
    ///   - text: The text of all strings; nil for random ones.
    init(seed: UInt64, isSmall: Bool = false, text: String? = nil) {
        generator = SeededGenerator(seed: seed)
        fixedText = text
        richCount = isSmall ? 40 : 600
    }

    /// Fabricates a value.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Date.self { return cast(date()) }
        if type == Data.self { return cast(Data(bytes(upTo: 200))) }
        if type == RowIDBuffer.self {
            return cast(RowIDBuffer((0..<listCount()).map { _ in integer() }))
        }
        if let choices = type as? any CaseIterable.Type,
            let choice = allCases(choices).randomElement(using: &generator) as? Value
        {
            return choice
        }
        depth += 1
        count += 1
        defer { depth -= 1 }
        guard depth < Self.maximumDepth else { throw TooDeep() }
        for _ in 0..<20 where depth < Self.retriedDepth {
            if let value = try attempt(type) { return value }
        }
        return try Value(from: FabricatingDecoder(fabrication: self))
    }

    private func attempt<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        do {
            return try Value(from: FabricatingDecoder(fabrication: self))
        } catch is TooDeep {
            return nil
        }
    }

    private func cast<Source, Target>(_ value: Source) -> Target {
        unsafeBitCast(value, to: Target.self)
    }

    private func allCases<Choices: CaseIterable>(_ type: Choices.Type) -> [Any] {
        type.allCases.map { $0 }
    }

    // MARK: - Choices

    private var isRich: Bool { depth < Self.richDepth && count < richCount }

    func isNil() -> Bool { !isRich || Int.random(in: 0..<4, using: &generator) == 0 }

    /// Returns an even count, since some dictionaries are lists of keys and values.
    func listCount() -> Int { isRich ? 2 * Int.random(in: 0...2, using: &generator) : 0 }

    func bool() -> Bool { Bool.random(using: &generator) }

    func integer<Number: FixedWidthInteger>() -> Number {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: .max
        case 1: .min
        case 2...4: Number(truncatingIfNeeded: Int.random(in: 0..<300, using: &generator))
        default: Number.random(in: .min ... .max, using: &generator)
        }
    }

    /// Returns a finite number, since others do not equal themselves.
    func double() -> Double {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: 0
        case 1: .greatestFiniteMagnitude
        case 2: -.leastNonzeroMagnitude
        default: Double.random(in: -1e9...1e9, using: &generator)
        }
    }

    private func date() -> Date { Date(timeIntervalSinceReferenceDate: double()) }

    private func bytes(upTo limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
    }

    func text() -> String {
        if let fixedText { return fixedText }
        let parts = ["a", "IMG_1234.HEIC", "ü", "👩‍👩‍👧", "\u{0}", "\"\\/", "long text ", "\u{2028}"]
        let limit = Int.random(in: 0..<20, using: &generator) == 0 ? 40 : 4
        return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            parts[Int.random(in: parts.indices, using: &generator)]
        }.joined()
    }

    /// Returns the keys of a dictionary, or one key of an enumeration.
    func keys<Key: CodingKey>(_ type: Key.Type) throws -> [Key] {
        if Key(stringValue: "no name of a case") != nil {
            let names = Set((0..<listCount()).map { _ in text() })
            return names.sorted().compactMap(Key.init(stringValue:))
        }
        let identifier = ObjectIdentifier(type)
        let known = cases[identifier] ?? Self.caseNames.compactMap(Key.init(stringValue:))
        cases[identifier] = known
        guard let key = known.randomElement(using: &generator) as? Key else { throw TooDeep() }
        return [key]
    }

    /// The names of all cases of enumerations in the modules of the seam.
    private static let caseNames: [String] = {
        let pattern = /(?m)^\s*case ([^:=]*)/
        var names: Set<String> = []
        for folder in ["Sources/Engine/LibraryService", "Sources/Base/PhotoModel"] {
            for source in PackageFiles.swiftSources(in: folder) {
                for match in source.matches(of: pattern) {
                    names.formUnion(match.output.1.matches(of: /\w+/).map { String($0.output) })
                }
            }
        }
        return names.sorted()
    }()
}
