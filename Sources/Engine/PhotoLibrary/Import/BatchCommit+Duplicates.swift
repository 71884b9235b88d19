internal import LibraryService
internal import PhotoModel

/// Handles imported files whose content a resource row already references.
///
/// The row does not prove that the library has the content. A missing or damaged file is restored
/// from the imported one, whose SHA-256 equals the row's. The row stays unchanged.
extension BatchCommit {
    /// Records the outcome for a file whose content an existing resource already has.
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
        let finding = duplicates.find(resource, digest: medium.file.digest)
        if let remark = finding.remark { add(remark) }
        if case .verified(let status) = finding {
            let isItself =
                status.inode == medium.source.inode && status.device == medium.source.device
            outcome.isSafeToRemove = !isTrashed && !isItself
            if isItself { add("It is a file of this library.") }
        }
        if finding.needsRestoration {
            restore(resource, from: medium, position)
            outcome.isSafeToRemove = !isTrashed
        }
    }

    /// Records the outcome for files whose restoration the file system did not permit.
    mutating func recordRefused(_ refused: [String: SystemError]) {
        for (target, error) in refused {
            let reason = duplicates.refusal(of: target, error)
            for position in restorations[target] ?? [] {
                outcomes[position] = ImportOutcome(.failed, reason: reason)
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
