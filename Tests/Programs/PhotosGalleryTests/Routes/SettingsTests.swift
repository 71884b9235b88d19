import Foundation
import TestSupport
import Testing

/// The program and disk information in the settings.
@Suite(.timeLimit(.minutes(2))) struct SettingsTests {
    @Test func theVersionIsTheCommandsOwn() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let output = try ProcessRunner.run(BuiltProducts.photos.path, ["--version"])
        let state = try world.ask("GET", "/api/state")
        #expect(state.object["version"] as? String == output.lines.first, "\(state.text)")
    }

    @Test func storageIsTheSumOfTheFiles() throws {
        let world = try GalleryWorld(photos: 8)
        try world.enter()
        let library = world.folder.file("A.photolibrary")
        func bytes(_ part: String, where condition: (String) -> Bool = { _ in true }) throws -> Int
        {
            let folder = library.appending(path: part)
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter(condition)
                .map { name in
                    try FileManager.default.attributesOfItem(
                        atPath: folder.appending(path: name).path
                    )
                }
                .filter { $0[.type] as? FileAttributeType == .typeRegular }
                .reduce(0) { sum, file in sum + ((file[.size] as? NSNumber)?.intValue ?? 0) }
        }
        // A session that may not see hidden photos receives no sizes that include them.
        let opened = try world.change("POST", "/api/hidden", "{\"unlock\":true}")
        let cookie = try #require(opened.headers["set-cookie"]?.split(separator: ";").first)
        world.add(cookie: String(cookie))
        let storage = try world.ask("GET", "/api/storage").object
        #expect(storage["originals"] as? Int == (try bytes("originals")))
        #expect(try bytes("originals") > 0)
        let renditions = try bytes("database") { $0.hasPrefix("renditions.sqlite") }
        #expect(storage["renditions"] as? Int == renditions)
        #expect(storage["database"] as? Int == (try bytes("database")) - renditions)
    }
}
