import Foundation
import Geography
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Fetches by camera and by place, and their facets.
@Suite(.timeLimit(.minutes(2))) struct SearchKeysTests {
    let world: LibraryWorld
    let fetcher: AssetFetcher
    /// Munich with an iPhone, Munich with a Canon, Basel with a Canon, one without either, and a
    /// hidden one in Munich.
    let ids: [Int64]

    init() throws {
        world = try LibraryWorld()
        fetcher = AssetFetcher(store: world.store)
        func record(_ place: (Double, Double)?, _ make: String?, _ model: String?) -> AssetRecord {
            var record = LibraryWorld.record()
            record.location = place.map {
                Location(latitude: $0.0, longitude: $0.1, altitude: 520)
            }
            record.camera.make = make
            record.camera.model = model
            return record
        }
        var records = [
            record((48.137, 11.575), "Apple", "iPhone 15 Pro"),
            record((48.141, 11.577), "Canon", "Canon EOS R6"),
            record((47.5584, 7.5733), "Canon", "Canon EOS R6"),
            record(nil, nil, nil),
            record((48.137, 11.575), "Apple", "iPhone 15 Pro"),
        ]
        records[1].camera.lens = "RF24-105mm F4 L IS USM"
        records[1].camera.isoSpeed = 400
        records[4].isHidden = true
        ids = try world.insert(records)
    }

    private func found(
        _ key: String,
        _ operation: PredicateComparison.Operator,
        _ value: PredicateTerm,
        _ options: PredicateComparison.Options = [],
        not: Bool = false
    ) throws -> [Int] {
        let comparison = PredicateComparison(
            .key(key, position: nil),
            operation,
            value,
            options: options
        )
        var request = AssetFetchRequest()
        request.predicate =
            not ? .not(.comparison(comparison)) : .comparison(comparison)
        return try fetcher.fetch(request).ids.compactMap { ids.firstIndex(of: $0) }.sorted()
    }

    private func text(_ text: String) -> PredicateTerm { .value(.string(text)) }

    @Test func camerasAreFoundByMakeModelAndLens() throws {
        #expect(try found("cameraModel", .equal, text("Canon EOS R6")) == [1, 2])
        let folded: PredicateComparison.Options = [.caseInsensitive, .diacriticInsensitive]
        #expect(try found("cameraMake", .contains, text("CÄNON"), folded) == [1, 2])
        #expect(try found("cameraMake", .contains, text("CANON")) == [])
        #expect(try found("lensModel", .beginsWith, text("RF24")) == [1])
        #expect(try found("isoSpeed", .greaterOrEqual, .value(.integer(400))) == [1])
        #expect(try found("cameraMake", .equal, .value(.null)) == [3])
    }

    @Test func placesAreFoundByRegionAndByName() throws {
        let numbers = [48.1, 48.2].map { PredicateTerm.value(.real($0)) }
        #expect(try found("latitude", .between, .list(numbers)) == [0, 1])
        #expect(try found("places", .contains, text("Munich")) == [0, 1])
        #expect(try found("places", .contains, text("mÜnich")) == [])
        let folded: PredicateComparison.Options = [.caseInsensitive, .diacriticInsensitive]
        #expect(try found("places", .contains, text("mÜnich"), folded) == [0, 1])
        #expect(try found("places", .contains, text("munich"), .caseInsensitive) == [0, 1])
        #expect(try found("places", .contains, text("Germany")) == [0, 1])
        #expect(try found("places", .contains, text("CH")) == [2])
        // Names match as a whole.
        #expect(try found("places", .contains, text("Mun")) == [])
        #expect(try found("places", .contains, text("Munich"), not: true) == [2, 3])
        let error = #expect(throws: LibraryError.self) {
            try found("places", .beginsWith, text("Mun"))
        }
        #expect(error?.code == .unsupportedPredicate)
    }

    @Test func whatThereIsIsCounted() throws {
        let facets = try fetcher.facets(SearchFacetsRequest(limit: 9))
        #expect(
            facets.cameras.map { [$0.make, $0.model, "\($0.count)"] } == [
                ["Canon", "Canon EOS R6", "2"], ["Apple", "iPhone 15 Pro", "1"],
            ]
        )
        #expect(facets.places.map(\.city) == ["Munich", "Basel"])
        #expect(facets.places.map(\.count) == [2, 1])
        #expect(facets.places.map(\.countryCode) == ["DE", "CH"])
        #expect(try fetcher.facets(SearchFacetsRequest(limit: 1)).places.count == 1)
    }

    /// The plan does not depend on the size of the library.
    @Test func searchesByCameraAndRegionStepIndexes() throws {
        func plan(_ comparisons: [PredicateComparison]) throws -> [String] {
            var request = AssetFetchRequest()
            request.predicate = .and(comparisons.map { .comparison($0) })
            request.sort = [.init("creationDate", ascending: false)]
            let plan = try FetchPlan(request)
            return try world.store.queryPlan(of: plan.sql, arguments: plan.allArguments)
        }
        let camera = try plan([
            PredicateComparison(.key("cameraModel", position: nil), .equal, text("A")),
            PredicateComparison(.key("cameraMake", position: nil), .equal, text("B")),
        ])
        #expect(camera.count == 1)
        #expect(camera.first?.contains("COVERING INDEX asset_camera (cameraModel=?") == true)
        let bounds = PredicateTerm.list([.value(.real(1)), .value(.real(2))])
        let region = try plan(
            ["latitude", "longitude"].map { key in
                PredicateComparison(.key(key, position: nil), .between, bounds)
            }
        )
        #expect(region.first?.contains("COVERING INDEX asset_place (isVisible=? AND") == true)
    }

    @Test func cellsKeepWhatWasFound() throws {
        let gazetteer = try #require(Gazetteer(GazetteerTests.file()))
        let names = PlaceNames(gazetteer: gazetteer, locale: Locale(identifier: "de"))
        let cell = try #require(PlaceNames.Cell(latitude: 48.137, longitude: 11.575))
        for _ in 0..<2 {
            #expect(
                names.names(cell)?.all == ["Munich", "Bavaria", "Deutschland", "Germany", "DE"]
            )
        }
        #expect(names.has(latitude: 48.137, longitude: 11.575, name: "deutschland", options: 3))
        #expect(!names.has(latitude: 30, longitude: -40, name: "Munich", options: 0))
        #expect(!names.has(latitude: .nan, longitude: 11.575, name: "Munich", options: 0))
        #expect(PlaceNames.Cell(latitude: 91, longitude: 0) == nil)
        #expect(PlaceNames.Cell(latitude: 0, longitude: .infinity) == nil)
    }
}
