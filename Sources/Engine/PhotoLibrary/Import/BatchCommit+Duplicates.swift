internal import LibraryService
internal import PhotoModel

/// Files whose content a resource row already references.
///
/// The row does not prove that the library has the content. A missing or damaged file is restored
/// from the imported one, whose SHA-256 equals the row's. The row stays unchanged.
extension BatchCommit {
    /// Records the outcome for a file whose content a resource has.
    mutating func answerDuplicate(_ position: Int, of resourceID: Int64, isTrashed: Bool) throws {
        guard let medium = media[position], let resource = try transaction.resource(id: resourceID)
        else { return }
        try remember(position, resourceID: resourceID)
        var outcome = ImportOutcome.duplicate(ofAsset: resource.assetUUID, isTrashed: isTrashed)
        defer { outcomes[position] = outcome }
        func add(_ remark: String) {
            outcome.reason = [outcome.reason, remark].compactMap(\.self).joined(separator: " ")
        }
        let isRestored = restored.contains(resourceID)
        if isRestored { restorations[resource.path, default: []].append(position) }
        // A duplicate of a file in this batch is staged and gets its place when the rows are
        // committed.
        if isRestored || moves.contains(where: { $0.target == resource.path }) {
            outcome.isSafeToRemove = !isTrashed
            return
        }
        switch duplicates.find(resource, digest: medium.file.digest) {
        case .present: break
        case .verified(let status):
            let isItself =
                status.inode == medium.source.inode && status.device == medium.source.device
            outcome.isSafeToRemove = !isTrashed && !isItself
            if isItself { add("It is a file of this library.") }
        case .missing:
            restore(resource, from: medium, position)
            outcome.isSafeToRemove = !isTrashed
            add("The library's file was missing and has been restored from this one.")
        case .damaged:
            restore(resource, from: medium, position)
            outcome.isSafeToRemove = !isTrashed
            add("The library's file was damaged and has been restored from this one.")
        case .unreadable(let reason):
            add("The library's file cannot be read: \(reason). Run photos verify.")
        }
    }

    /// Records the outcome for files whose restoration the file system did not permit.
    mutating func recordRefused(_ refused: [String: SystemError]) {
        for (target, error) in refused {
            let path = duplicates.bundle.absolutePath(of: target)
            for position in restorations[target] ?? [] {
                outcomes[position] = ImportOutcome(
                    .failed,
                    reason:
                        "The library's file \(path) is missing or damaged and cannot be replaced:"
                        + " \(error.reason). Allow changes to it (chattr -i) and import it again."
                )
            }
        }
    }

    private mutating func restore(
        _ resource: ResourceRecord,
        from medium: StagedMedium,
        _ position: Int
    ) {
        restorations[resource.path, default: []].append(position)
        moves.append(
            FilePlacement.Move(file: medium.file, target: resource.path, isRestoration: true)
        )
        restored.insert(resource.id)
    }
}
