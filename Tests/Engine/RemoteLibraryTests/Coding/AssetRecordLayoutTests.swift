@testable import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The layout of lists of records equals the form that the coder derives.
@Suite(.timeLimit(.minutes(2))) struct AssetRecordLayoutTests {
    private let coder = BinaryCoder()
    private let seed = TestSeed()

    private func records(_ count: Int) throws -> [AssetRecord] {
        var generator = seed.generator
        return try (0..<count).map { _ in
            try Fabrication(seed: generator.next()).value(AssetRecord.self)
        }
    }

    @Test func recordsArePreserved() throws {
        for count in [0, 1, 2, 200] {
            let records = try records(count)
            let bytes = try coder.encode(records)
            #expect(try coder.decode([AssetRecord].self, from: bytes) == records, seed.comment)
            for record in records {
                let bytes = try coder.encode(record)
                #expect(try coder.decode(AssetRecord.self, from: bytes) == record, seed.comment)
            }
        }
    }

    @Test func everyPropertyHasAField() throws {
        let record = try #require(try records(1).first)
        #expect(Mirror(reflecting: record).children.count == AssetRecordLayout.propertyCount)
        #expect(
            Mirror(reflecting: record.camera).children.count
                == AssetRecordLayout.cameraPropertyCount
        )
    }

    /// Returns a message with one record, given its fields.
    private func message(_ fields: some Collection<UInt8>) -> [UInt8] {
        let record = BinaryMessage.little(UInt32(fields.count)) + fields
        let list = BinaryMessage.little(UInt32(1)) + record
        let value = [BinaryMessage.records] + BinaryMessage.little(UInt32(list.count)) + list
        return BinaryMessage.message(value)
    }

    /// Returns the fields of one record.
    private func fields(_ records: [AssetRecord]) throws -> ArraySlice<UInt8> {
        let bytes = try coder.encode(records)
        // After the lengths of the message and the list, the count and the length of the record.
        return bytes[17..<BinaryMessage.valueEnd(bytes)]
    }

    @Test func fieldsOfLaterVersionsAreSkipped() throws {
        let records = try records(1)
        let bytes = message(Array(try fields(records)) + [1, 2, 3])
        #expect(try coder.decode([AssetRecord].self, from: bytes) == records, seed.comment)
    }

    @Test func cutRecordsAreErrors() throws {
        let fields = try fields(try records(1))
        for length in 0..<fields.count {
            let error = #expect(throws: DecodingError.self, seed.comment) {
                try coder.decode([AssetRecord].self, from: message(fields.prefix(length)))
            }
            guard case .dataCorrupted(let context)? = error else { continue }
            #expect(context.codingPath.map(\.intValue) == [0])
        }
    }
}
