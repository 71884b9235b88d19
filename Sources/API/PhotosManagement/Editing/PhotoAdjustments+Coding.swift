public import Foundation
internal import PhotoModel
public import Photos

// The stored form is one JSON object with the names of the properties; neutral values are omitted.
extension PhotoAdjustments {
    private typealias Number = (
        key: Key, value: WritableKeyPath<PhotoAdjustments, Double>, range: ClosedRange<Double>
    )

    private typealias Switch = (key: Key, value: WritableKeyPath<PhotoAdjustments, Bool>)

    private enum Key: String, CaseIterable {
        case isAutoEnhanced, exposure, brightness, contrast, saturation, vibrance, temperature, tint
        case highlights, shadows, effect, sharpness, vignette
        case isFlipped, quarterTurns, straighten, crop
    }

    /// A coding key of any name, including names that this version does not know.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ key: Key) { stringValue = key.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A marker for the decoding errors that `PhotoAdjustments` itself creates.
    ///
    /// Their descriptions are suitable for messages, unlike those of the decoder's errors.
    private struct DescribedError: Error {}

    private static var numbers: [Number] {
        let unit = -1.0...1.0
        return [
            (.exposure, \.exposure, -5...5), (.brightness, \.brightness, unit),
            (.contrast, \.contrast, unit), (.saturation, \.saturation, unit),
            (.vibrance, \.vibrance, unit), (.temperature, \.temperature, unit),
            (.tint, \.tint, unit), (.highlights, \.highlights, unit), (.shadows, \.shadows, unit),
            (.sharpness, \.sharpness, 0...1), (.vignette, \.vignette, unit),
            (.straighten, \.straighten, -45...45),
        ]
    }

    private static var switches: [Switch] {
        [(.isAutoEnhanced, \.isAutoEnhanced), (.isFlipped, \.isFlipped)]
    }

    /// A sentence that describes the first value that is out of its range; nil when all values are
    /// valid.
    var problem: String? {
        for (key, value, range) in Self.numbers where !range.contains(self[keyPath: value]) {
            return "\(key.rawValue) is \(self[keyPath: value]), but must be from"
                + " \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))."
        }
        if !(0...3).contains(quarterTurns) {
            return "quarterTurns is \(quarterTurns), but must be from 0 to 3."
        }
        if let crop, !crop.isInUnitSquare {
            return "crop has x \(crop.x), y \(crop.y), width \(crop.width), height \(crop.height),"
                + " which is not a part of the image: sides must be greater than 0, and all values from"
                + " 0 to 1."
        }
        return nil
    }

    private static func text(_ number: Double) -> String { String(Int(number)) }

    // MARK: - Codable

    /// Decodes adjustments from their stored form.
    ///
    /// - Throws: `DecodingError` for a name that this version does not support (ignoring it would
    ///   show a different picture), for a value of another type, and for a value out of its range.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: AnyKey.self)
        func fail(_ why: String) -> DecodingError {
            .dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: why,
                    underlyingError: DescribedError()
                )
            )
        }
        if let key = container.allKeys.first(where: { Key(rawValue: $0.stringValue) == nil }) {
            throw fail("There is no adjustment “\(key.stringValue)”.")
        }
        for (key, value, _) in Self.numbers where container.contains(AnyKey(key)) {
            self[keyPath: value] = try container.decode(Double.self, forKey: AnyKey(key))
        }
        for (key, value) in Self.switches where container.contains(AnyKey(key)) {
            self[keyPath: value] = try container.decode(Bool.self, forKey: AnyKey(key))
        }
        effect = try container.decodeIfPresent(Effect.self, forKey: AnyKey(.effect))
        quarterTurns = try container.decodeIfPresent(Int.self, forKey: AnyKey(.quarterTurns)) ?? 0
        crop = try container.decodeIfPresent(UnitRect.self, forKey: AnyKey(.crop))
        if let problem { throw fail(problem) }
    }

    /// Encodes the values that are not neutral.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        let neutral = PhotoAdjustments()
        for (key, value, _) in Self.numbers where self[keyPath: value] != neutral[keyPath: value] {
            try container.encode(self[keyPath: value], forKey: AnyKey(key))
        }
        for (key, value) in Self.switches where self[keyPath: value] {
            try container.encode(true, forKey: AnyKey(key))
        }
        try container.encodeIfPresent(effect, forKey: AnyKey(.effect))
        if quarterTurns != 0 { try container.encode(quarterTurns, forKey: AnyKey(.quarterTurns)) }
        try container.encodeIfPresent(crop, forKey: AnyKey(.crop))
    }

    // MARK: - Adjustment data

    /// Creates adjustments from the bytes of their `PHAdjustmentData`.
    ///
    /// - Parameter data: A JSON object; see <doc:AdjustmentFormat>.
    /// - Throws: `PHPhotosError` with `invalidResource`, which names the unreadable part.
    public init(data: Data) throws {
        do {
            self = try JSONDecoder().decode(PhotoAdjustments.self, from: data)
        } catch {
            throw PHPhotosError(
                LibraryError(
                    .invalidResource,
                    "The adjustments cannot be read.",
                    reason: Self.reason(error),
                    recovery: "Edit the photo as it is shown, or revert it first."
                )
            )
        }
    }

    /// Returns the stored bytes: a JSON object in UTF-8, its keys sorted alphabetically.
    ///
    /// - Throws: `PHPhotosError` with `internalError` when a value is out of its range.
    public func data() throws -> Data {
        if let problem {
            throw PHPhotosError(
                LibraryError(
                    .invalidRequest,
                    "The adjustments cannot be saved.",
                    reason: problem,
                    recovery: "Set a value in the valid range."
                )
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Returns whether adjustment data is in this format, in a version that can be read.
    ///
    /// Use it as the answer of `PHContentEditingInputRequestOptions.canHandleAdjustmentData`.
    public static func canRead(_ adjustmentData: PHAdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == formatIdentifier
            && adjustmentData.formatVersion == formatVersion
    }

    /// Creates adjustments from the adjustment data of an edit.
    ///
    /// - Throws: `PHPhotosError` with `invalidResource` when they have another format or version,
    ///   or are damaged.
    public init(_ adjustmentData: PHAdjustmentData) throws {
        guard Self.canRead(adjustmentData) else {
            throw PHPhotosError(
                LibraryError(
                    .invalidResource,
                    "The adjustments have another format.",
                    reason: "They are \(adjustmentData.formatIdentifier)"
                        + " \(adjustmentData.formatVersion), not \(Self.formatIdentifier)"
                        + " \(Self.formatVersion).",
                    recovery: "Edit the photo as it is shown, or revert it first."
                )
            )
        }
        try self.init(data: adjustmentData.data)
    }

    /// Returns the adjustment data to save with an edit, for
    /// `PHContentEditingOutput.adjustmentData`.
    ///
    /// - Returns: The stored form with the identifier and version of its format.
    /// - Throws: `PHPhotosError` with `internalError` when a value is out of its range.
    public func adjustmentData() throws -> PHAdjustmentData {
        PHAdjustmentData(
            formatIdentifier: Self.formatIdentifier,
            formatVersion: Self.formatVersion,
            data: try data()
        )
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context)
        where context.underlyingError is DescribedError:
            context.debugDescription
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong"
                + " type."
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing."
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has an unknown"
                + " value."
        default: "They are not a JSON object."
        }
    }
}

extension PhotoAdjustments.UnitRect {
    /// Indicates whether the rectangle has a positive size and lies within the unit square.
    var isInUnitSquare: Bool {
        // Floating-point sums of decimal fractions may slightly exceed their exact value.
        let end = 1 + 1e-9
        return x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= end && y + height <= end
    }
}
