import Foundation
import PhotosManagement

/// An empty library for a plan without a library, removed afterwards.
struct TemporaryLibrary {
    private let folder: URL?

    /// Names a library in the temporary folder if one is needed.
    init(isNeeded: Bool) {
        folder =
            isNeeded
            ? FileManager.default.temporaryDirectory
                .appendingPathComponent("photos-dry-run-\(UUID().uuidString)") : nil
    }

    /// Creates and opens the library; nil if none is needed.
    func open() throws -> PhotoLibraryBundle? {
        guard let folder else { return nil }
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let url = folder.appendingPathComponent("Plan.photolibrary")
        return try OpenLibraries.add { try PhotoLibraryBundle.openOrCreate(at: url) }
    }

    /// Removes the library.
    func remove() {
        guard let folder else { return }
        OpenLibraries.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
