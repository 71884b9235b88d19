package import Foundation
internal import LibraryService
internal import PhotoLibrary
package import PhotoModel

extension LibraryEngine {
    /// The folder of the sync host's state, which is copied and restored with the database.
    package var cloudStateFolder: String { store.bundle.databaseFolder + "/cloud" }

    /// Returns whether this library has changes that the cloud library has not received.
    package func hasUnexportedChanges() throws(LibraryError) -> Bool {
        do {
            return try store.hasUnexportedChanges()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Returns the unique identifier of the library.
    package func libraryIdentifier() throws(LibraryError) -> UUID {
        let text = try libraryUUID()
        guard let identifier = UUID(uuidString: text) else {
            throw LibraryError(
                .corrupt,
                "The library’s identifier “\(text)” is invalid.",
                recovery: "Run photos verify.",
                path: store.bundle.root
            )
        }
        return identifier
    }
}
