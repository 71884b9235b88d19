internal import GRDB
internal import Geography
package import LibraryService
internal import PhotoModel

extension AssetFetcher {
    /// Returns the cameras and places of the visible assets, the most frequent first.
    ///
    /// Costs two index scans, and a lookup for each cell of the place map that is not yet cached.
    package func facets(_ request: SearchFacetsRequest) throws -> SearchFacetsReply {
        // SQLite returns everything for a negative limit.
        let limit = max(0, request.limit)
        return try view.read { reading in
            SearchFacetsReply(
                cameras: try Self.cameras(reading.database, limit: limit),
                places: try Self.places(reading.database, limit: limit)
            )
        }
    }

    private static func cameras(
        _ database: Database,
        limit: Int
    ) throws -> [SearchFacetsReply.Camera] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT cameraMake, cameraModel, count(*) FROM asset INDEXED BY asset_camera
                WHERE cameraModel IS NOT NULL AND isVisible = 1
                GROUP BY cameraModel, cameraMake ORDER BY 3 DESC, 2, 1 LIMIT ?
                """,
            arguments: [limit]
        ).map { SearchFacetsReply.Camera(make: $0[0], model: $0[1], count: $0[2]) }
    }

    private static func places(
        _ database: Database,
        limit: Int
    ) throws -> [SearchFacetsReply.Place] {
        struct Key: Hashable {
            var city: String?
            var region: String?
            var country: String?
        }
        let rows = try StatementReader(
            database,
            """
            SELECT latitude, longitude FROM asset INDEXED BY asset_place
            WHERE latitude IS NOT NULL AND longitude IS NOT NULL AND isVisible = 1
            """,
            []
        )
        var cells: [PlaceNames.Cell: Int] = [:]
        while try rows.step() {
            guard let cell = PlaceNames.Cell(latitude: rows.real(0), longitude: rows.real(1))
            else { continue }
            cells[cell, default: 0] += 1
        }
        var places: [Key: SearchFacetsReply.Place] = [:]
        for (cell, count) in cells {
            guard let names = PlaceNames.ofUser.names(cell) else { continue }
            // A city's photos are grouped together even if its parts belong to two regions.
            let (city, country) = (names.place.city, names.place.countryCode)
            let region = city == nil ? names.place.region : nil
            let place = SearchFacetsReply.Place(
                city: city,
                region: region,
                countryCode: country,
                country: names.country,
                count: 0
            )
            let key = Key(city: city, region: region, country: country)
            places[key, default: place].count += count
        }
        let sorted = places.values.sorted { first, second in
            if first.count != second.count { return first.count > second.count }
            return (first.city ?? "", first.region ?? "", first.countryCode ?? "")
                < (second.city ?? "", second.region ?? "", second.countryCode ?? "")
        }
        return Array(sorted.prefix(limit))
    }
}
