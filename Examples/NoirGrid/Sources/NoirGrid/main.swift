import Foundation
import Photos

// Image requests deliver their results on the main queue, which `await` at the top level serves.
do {
    try await openLibrary()

    let grid = PhotoGrid(folder: URL(fileURLWithPath: "grid", isDirectory: true))
    try await grid.draw(grid.photos)
    print("Drew \(grid.photos.count) photos. Open grid/index.html in a browser.")

    PHPhotoLibrary.shared().register(grid)
    guard let photo = grid.photos.first(where: { !$0.hasAdjustments }) else {
        throw GridError("The grid has no photo without an edit.")
    }
    try await makeNoir(photo)

    for await assets in grid.changes {
        try await grid.draw(assets)
        if assets.contains(photo) { break }
    }
    print("Applied Noir to one photo. Reload the page.")
} catch {
    let suggestion = (error as? any LocalizedError)?.recoverySuggestion
    print("NoirGrid: \(error.localizedDescription) \(suggestion ?? "")")
    exit(1)
}
