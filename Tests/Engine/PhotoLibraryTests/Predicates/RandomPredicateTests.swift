import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Random predicates, sort orders and limits, compared with plain Swift over the same records.
@Suite(.timeLimit(.minutes(2))) struct RandomPredicateTests {
    @Test func compiledPredicatesAgreeWithPlainSwift() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        let fetcher = AssetFetcher(store: world.store)
        var records = (0..<120).map { _ in Self.record(&generator) }
        for (index, id) in try world.insert(records).enumerated() { records[index].id = id }
        for _ in 0..<1_500 {
            var request = AssetFetchRequest()
            let (node, matches) = Self.predicate(depth: 3, &generator)
            request.predicate = node
            request.sort = [.init("duration", ascending: Bool.random(using: &generator))]
            request.limit = Int.random(in: 0..<4, using: &generator) == 0 ? 7 : 0
            let ascending = request.sort[0].ascending
            var expected = records.filter(matches).sorted {
                ascending
                    ? ($0.duration, $0.id) < ($1.duration, $1.id)
                    : ($0.duration, $0.id) > ($1.duration, $1.id)
            }.map(\.id)
            if request.limit > 0 { expected = Array(expected.prefix(request.limit)) }
            let found = Array(try fetcher.fetch(request).ids)
            #expect(found == expected, "\(seed): \(node)")
        }
    }

    private typealias Test = (AssetRecord) -> Bool

    private static func record(_ generator: inout some RandomNumberGenerator) -> AssetRecord {
        var record = LibraryWorld.record()
        record.mediaType = Bool.random(using: &generator) ? .image : .video
        record.mediaSubtypes = MediaSubtypes(rawValue: UInt.random(in: 0..<32, using: &generator))
        record.duration = Double(Int.random(in: 0..<6, using: &generator)) / 2
        record.isFavorite = Bool.random(using: &generator)
        record.caption = [nil, "", "a", "A", "b"].randomElement(using: &generator) ?? nil
        record.pixelSize.width = Int.random(in: 0..<4, using: &generator)
        if Bool.random(using: &generator) { record.creationDate = nil }
        return record
    }

    private static func predicate(
        depth: Int,
        _ generator: inout some RandomNumberGenerator
    ) -> (PredicateNode, Test) {
        switch Int.random(in: depth > 0 ? 0..<8 : 3..<8, using: &generator) {
        case 0:
            let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                predicate(depth: depth - 1, &generator)
            }
            return (.and(parts.map(\.0)), { record in parts.allSatisfy { $0.1(record) } })
        case 1:
            let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                predicate(depth: depth - 1, &generator)
            }
            return (.or(parts.map(\.0)), { record in parts.contains { $0.1(record) } })
        case 2:
            let (node, test) = predicate(depth: depth - 1, &generator)
            return (.not(node), { !test($0) })
        case 3:
            let mask = Int64.random(in: 0..<32, using: &generator)
            let masked = PredicateTerm.binary(
                .key("mediaSubtype", position: nil),
                .bitAnd,
                .value(.integer(mask))
            )
            let node = PredicateComparison(masked, .notEqual, .value(.integer(0)))
            return (.comparison(node), { $0.mediaSubtypes.rawValue & UInt(mask) != 0 })
        case 4:
            let limit = Double(Int.random(in: 0..<6, using: &generator)) / 2
            let node = PredicateComparison(
                .value(.real(limit)),
                .less,
                .key("duration", position: nil)
            )
            return (.comparison(node), { limit < $0.duration })
        case 5:
            let text = ["", "a", "A", "b"].randomElement(using: &generator) ?? ""
            let isEqual = Bool.random(using: &generator)
            let node = PredicateComparison(
                .key("caption", position: nil),
                isEqual ? .equal : .notEqual,
                .value(.string(text))
            )
            return (.comparison(node), { ($0.caption == text) == isEqual })
        case 6:
            let widths = (0..<2).map { _ in Int64.random(in: 0..<4, using: &generator) }
            let node = PredicateComparison(
                .key("pixelWidth", position: nil),
                .in,
                .list(widths.map { .value(.integer($0)) })
            )
            return (.comparison(node), { widths.contains(Int64($0.pixelSize.width)) })
        default:
            let isNil = Bool.random(using: &generator)
            let node = PredicateComparison(
                .key("creationDate", position: nil),
                isNil ? .equal : .notEqual,
                .value(.null)
            )
            return (.comparison(node), { ($0.creationDate == nil) == isNil })
        }
    }
}
