import Foundation
import Testing

/// Encodes a value, decodes it again and compares both, as JSON and as a binary property list.
func expectRoundTrip<Value: Codable & Equatable>(
    _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode([value])
    #expect(
        try JSONDecoder().decode([Value].self, from: json) == [value],
        sourceLocation: sourceLocation
    )
    let list = PropertyListEncoder()
    list.outputFormat = .binary
    #expect(
        try PropertyListDecoder().decode([Value].self, from: list.encode([value])) == [value],
        sourceLocation: sourceLocation
    )
}
