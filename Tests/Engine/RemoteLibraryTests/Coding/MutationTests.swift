import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// Damaged messages decode to a value or an error; nothing traps.
///
/// `PHOTOS_WIRE_MUTATIONS` sets the number of damaged messages.
@Suite(.timeLimit(.minutes(60))) struct MutationTests {
    private static let count =
        ProcessInfo.processInfo.environment["PHOTOS_WIRE_MUTATIONS"].flatMap(Int.init) ?? 6_000

    private let seed = TestSeed()

    @Test func damagedMessageIsValueOrError() throws {
        var generator = seed.generator
        let coder = BinaryCoder()
        var values = 0
        var errors = 0
        let messages = SeamMessage.all
        // Each message gets its turn, also in a short test.
        let perMessage = min(50, max(1, Self.count / messages.count))
        for index in 0..<(Self.count + perMessage - 1) / perMessage {
            let message = messages[index % messages.count]
            let fabrication = Fabrication(seed: generator.next())
            let original = try coder.encode(try message.value(fabrication))
            for _ in 0..<perMessage {
                var damaged = original
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    Self.damage(&damaged, &generator)
                }
                do {
                    _ = try message.decode(damaged, with: coder)
                    values += 1
                } catch is DecodingError {
                    errors += 1
                }
            }
        }
        // Most damage is noticed, and some leads to other values.
        #expect(values > 0 && errors > values / 10, seed.comment)
    }

    /// Every message that is cut short is an error, since its length comes first.
    @Test func truncatedMessageIsError() throws {
        var generator = seed.generator
        for message in SeamMessage.all {
            let fabrication = Fabrication(seed: generator.next())
            let bytes = try BinaryCoder().encode(try message.value(fabrication))
            let names = BinaryMessage.valueEnd(bytes)
            for end in stride(from: 0, to: names, by: max(1, names / 200)) {
                #expect(throws: DecodingError.self, seed.comment) {
                    try message.decode(Array(bytes[..<end]), with: BinaryCoder())
                }
            }
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = .random(in: .min ... .max, using: &generator)
        // Tags and large lengths.
        case 2: bytes[index] = .random(in: 0xC0...0xD1, using: &generator)
        case 3: bytes[index] = 0xFF
        case 4: bytes.removeSubrange(index..<min(bytes.count, index + 4))
        case 5: bytes.insert(.random(in: .min ... .max, using: &generator), at: index)
        case 6:
            let source = Int.random(in: bytes.indices, using: &generator)
            let length = min(16, bytes.count - max(index, source))
            let part = Array(bytes[source..<source + length])
            bytes.replaceSubrange(index..<index + length, with: part)
        default: bytes.removeLast(min(bytes.count, 8))
        }
    }
}
