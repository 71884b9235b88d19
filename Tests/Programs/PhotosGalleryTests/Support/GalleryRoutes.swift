import Foundation
import TestSupport

/// The routes of the gallery, as in its sources.
enum GalleryRoutes {
    /// Returns the routes by lowercase method and address, such as `get /api/assets/:id`.
    static func all() throws -> Set<String> {
        let folder = SharedData.packageRoot.appendingPathComponent(
            "Sources/Programs/PhotosGallery/Routes"
        )
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        var routes: Set<String> = []
        for file in files {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /router\.(get|put|post|delete)\(([^)]*?)\)/) {
                let addresses = match.output.2.matches(of: /"([^"]+)"/).map(\.output.1)
                for address in addresses { routes.insert("\(match.output.1) \(address)") }
            }
        }
        return routes
    }
}
