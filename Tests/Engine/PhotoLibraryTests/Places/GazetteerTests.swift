import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import Geography
@testable import PhotoLibrary

/// Place names, from a small generated file and from the installed one.
@Suite(.timeLimit(.minutes(2))) struct GazetteerTests {
    /// A place of a generated file.
    struct Place {
        var name: String
        var latitude: Double
        var longitude: Double
        /// In kilometers.
        var reach: Double
        var region: Int
    }

    static let regions = [("DE", "Bavaria"), ("FJ", "Northern"), ("SJ", "")]
    static let places = [
        Place(name: "Nadi", latitude: -16.8, longitude: -179.9, reach: 2, region: 1),
        Place(name: "Pasing", latitude: 48.14146, longitude: 11.45599, reach: 1.4, region: 0),
        Place(name: "Munich", latitude: 48.13743, longitude: 11.57549, reach: 8.6, region: 0),
        Place(name: "Nord", latitude: 89.9, longitude: 10, reach: 1, region: 2),
    ]

    /// Writes the format of `Gazetteer` as its comment describes it.
    static func file(_ places: [Place] = places, regions: [(String, String)] = regions) -> Data {
        var names = Data()
        func number<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        func name(_ text: String) -> UInt32 {
            defer { names += [UInt8(text.utf8.count)] + Data(text.utf8) }
            return UInt32(names.count)
        }
        let bands = 360
        func band(_ place: Place) -> Int { min(bands - 1, Int((place.latitude + 90) * 2)) }
        let sorted = places.sorted { (band($0), $0.longitude) < (band($1), $1.longitude) }
        var rows = Data()
        for place in sorted {
            rows += number(Int32((place.latitude * 1e5).rounded()))
            rows += number(Int32((place.longitude * 1e5).rounded()))
            rows += number(name(place.name)) + number(UInt16(place.region))
            rows += number(UInt16(place.reach * 100))
        }
        var table = Data()
        for (country, region) in regions {
            table += number(name(region)) + Data(country.utf8) + number(UInt16(0))
        }
        var file = Data("PHPLACE1".utf8)
        for count in [places.count, regions.count, names.count, bands] {
            file += number(UInt32(count))
        }
        for index in 0...bands {
            file += number(UInt32(sorted.filter { band($0) < index }.count))
        }
        return file + rows + table + names
    }

    @Test("The nearest place gives its names, a large one from farther away")
    func nearest() throws {
        let gazetteer = try #require(Gazetteer(Self.file()))
        let munich = Gazetteer.Place(city: "Munich", region: "Bavaria", countryCode: "DE")
        #expect(gazetteer.place(latitude: 48.137, longitude: 11.575) == munich)
        #expect(gazetteer.place(latitude: 48.2, longitude: 11.6) == munich)
        #expect(gazetteer.place(latitude: 48.1414, longitude: 11.456)?.city == "Pasing")
        // 40 km north: the region is known, but the place is not near.
        let country = gazetteer.place(latitude: 48.57, longitude: 11.57)
        #expect(country == Gazetteer.Place(city: nil, region: "Bavaria", countryCode: "DE"))
        #expect(gazetteer.place(latitude: 30, longitude: -40) == nil)
    }

    @Test("Nothing ends at the 180th meridian or at a pole")
    func edges() throws {
        let gazetteer = try #require(Gazetteer(Self.file()))
        #expect(gazetteer.place(latitude: -16.8, longitude: 179.95)?.city == "Nadi")
        #expect(gazetteer.place(latitude: -16.8, longitude: -179.9)?.city == "Nadi")
        #expect(gazetteer.place(latitude: 90, longitude: 0)?.city == "Nord")
        #expect(gazetteer.place(latitude: 90, longitude: 0)?.region == nil)
        #expect(gazetteer.place(latitude: -90, longitude: 180) == nil)
        #expect(gazetteer.place(latitude: .nan, longitude: 0) == nil)
        #expect(gazetteer.place(latitude: 91, longitude: 0) == nil)
    }

    @Test("A file that is cut, or says what is not, is none, or gives no names; and never traps")
    func damaged() throws {
        let file = Self.file()
        for length in [0, 7, 8, 23, 24, 1_000, file.count - 1] {
            #expect(Gazetteer(file.prefix(length)) == nil)
        }
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<2_000 {
            var bytes = file
            for _ in 0..<4 {
                let index = Int.random(in: 24..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let gazetteer = Gazetteer(bytes)
            for place in Self.places {
                _ = gazetteer?.place(latitude: place.latitude, longitude: place.longitude)
            }
        }
    }

    @Test("Moments are called by their place, else by their date")
    func titles() throws {
        let gazetteer = try #require(Gazetteer(Self.file()))
        let german = MomentTitles(gazetteer: gazetteer, locale: Locale(identifier: "de_DE"))
        let munich = Location(latitude: 48.14, longitude: 11.57)
        // 2024-05-03 12:00 in wall time.
        let time: Int64 = 736_430_400_000
        #expect(german.title(.moment, time: time, place: munich) == "Munich, Bavaria")
        #expect(german.title(.cluster, time: time, place: munich) == "Munich, Bavaria")
        #expect(german.title(.year, time: time, place: munich) == "2024")
        #expect(german.names(munich) == ["Munich", "Bavaria", "Deutschland"])
        #expect(german.title(.moment, time: time, place: nil) == "3. Mai 2024")
        #expect(german.title(.cluster, time: time, place: nil) == "Mai 2024")
        let without = MomentTitles(gazetteer: nil, locale: Locale(identifier: "en_US"))
        #expect(without.title(.moment, time: time, place: munich) == "May 3, 2024")
        #expect(without.names(munich) == [])
    }

    @Test("The installed file knows the places of well-known photos")
    func installed() throws {
        let file = SharedData.packageRoot
            .appendingPathComponent("Sources/Base/Geography/Resources/places.gazetteer")
        let gazetteer = try #require(Gazetteer(Data(contentsOf: file)))
        let places: [(Double, Double, String, String)] = [
            (48.8584, 2.2945, "Paris", "FR"), (40.6892, -74.0445, "New York City", "US"),
            (-33.8568, 151.2153, "Sydney", "AU"), (35.6586, 139.7454, "Tokyo", "JP"),
            (48.1374, 11.5755, "Munich", "DE"), (-22.9519, -43.2105, "Rio de Janeiro", "BR"),
        ]
        for (latitude, longitude, city, country) in places {
            let place = gazetteer.place(latitude: latitude, longitude: longitude)
            #expect(place?.city == city)
            #expect(place?.countryCode == country)
        }
        #expect(Gazetteer.installed != nil)
    }
}
