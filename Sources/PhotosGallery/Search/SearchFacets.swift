internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// What a search can be narrowed by: the years and kinds that there are.
struct SearchFacets {
    let library: PhotoLibraryBundle

    func json() throws -> String {
        var object = JSONObject()
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        let result = try library.fetchAssets(with: options)
        var years: [(year: Substring, count: Int)] = []
        for run in try library.captureDays(of: result) {
            guard let day = run.day else { continue }
            let year = Substring(day.description.prefix { $0 != "-" })
            if let last = years.indices.last, years[last].year == year {
                years[last].count += run.count
            } else if let index = years.firstIndex(where: { $0.year == year }) {
                years[index].count += run.count
            } else {
                years.append((year, run.count))
            }
        }
        object.add(
            "years",
            years.map { entry in
                var part = JSONObject()
                part.add("year", Int(entry.year))
                part.add("count", entry.count)
                return part
            }
        )
        object.add("kinds", try kinds())
        return object.line
    }

    private func kinds() throws -> [JSONObject] {
        let names = [
            "photo", "video", "live", "panorama", "screenshot", "portrait", "hdr", "animated",
            "slomo", "timelapse", "burst", "raw", "favorite", "edited",
        ]
        return try names.compactMap { name in
            guard let format = SearchWords.kinds[name] else { return nil }
            let options = PHFetchOptions()
            options.predicate = NSPredicate(format: format)
            let count = try library.fetchAssets(with: options).count
            guard count > 0 else { return nil }
            var part = JSONObject()
            part.add("kind", name)
            part.add("predicate", format)
            part.add("count", count)
            return part
        }
    }
}
