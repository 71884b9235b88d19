internal import FoundationEssentials
internal import LibraryService

/// An import in progress, with its author and its staging session.
struct ImportSession: Sendable {
    var author: String
    var staging: StagingSession
    /// The identifier that the journal records with each transaction of this import, so that one
    /// undo reverts the whole import.
    let batch = UUID().uuidString
}
