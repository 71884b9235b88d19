internal import LibraryService
internal import PhotoModel

extension FileStager.Failure {
    /// Converts the failure to the error that is reported to the client that added the file.
    func libraryError(of resource: some ResourceNaming) -> LibraryError {
        switch self {
        case .volume(let failure): failure
        case .notRegular(let kind):
            CreationDraft.invalid(
                resource,
                "cannot be added",
                reason: "It is \(kind), not a regular file."
            )
        case .empty: CreationDraft.invalid(resource, "is empty", reason: "It has 0 bytes.")
        case .changed:
            CreationDraft.invalid(
                resource,
                "changed while it was being read",
                reason: "A program was writing to it, so its content is inconsistent."
            )
        case .unreadable(let reason):
            CreationDraft.invalid(resource, "cannot be read", reason: reason)
        }
    }
}
