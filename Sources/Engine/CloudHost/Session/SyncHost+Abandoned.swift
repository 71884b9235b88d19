internal import CloudSync
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// The removal of blobs whose upload was never announced, for example because a device lost its
/// state.
///
/// The state machine decides which blobs these are. It condemns them first, and later sessions
/// delete them once all other devices have read that (`SyncMachine.removeAbandoned`).
extension SyncHost {
    /// Finds the abandoned objects in a listing of all blobs.
    ///
    /// - Parameters:
    ///   - listed: The objects.
    ///   - isRepairing: Whether to remove the abandoned ones.
    /// - Returns: A finding for each abandoned object, in the order of the listing.
    /// - Throws: The failure of the second listing.
    func abandonedFindings(
        in listed: [ListedObject],
        isRepairing: Bool
    ) async throws(LibraryError) -> [CloudReply.Finding] {
        let environment = makeEnvironment()
        var blobs: [BlobName] = []
        var findings: [CloudReply.Finding] = []
        for object in listed {
            guard case .blob(let blob)? = ObjectName(object.key.text),
                machine.isAbandoned(blob, environment)
            else { continue }
            blobs.append(blob)
            let text =
                isRepairing || !canDelete
                ? "No change names it; it has \(object.size) bytes."
                : "No change names it; photos cloud verify --repair removes its \(object.size)"
                    + " bytes."
            findings.append(.init(object: object.key.text, finding: text))
        }
        guard isRepairing, !blobs.isEmpty else { return findings }
        let (left, reason) = try await removeAbandoned(blobs)
        for index in findings.indices {
            let isLeft = left.contains(findings[index].object)
            findings[index].isRepaired = !isLeft
            findings[index].reason = isLeft ? reason : nil
        }
        return findings
    }

    /// Removes abandoned objects.
    ///
    /// - Returns: The names of the blobs that are in the store afterwards, and the reason why an
    ///   abandoned one may still be among them.
    private func removeAbandoned(
        _ blobs: [BlobName]
    ) async throws(LibraryError) -> (left: Set<String>, reason: String) {
        guard canDelete else {
            return (
                Set(blobs.map { ObjectName.blob($0).description }),
                "The store can be used as a backup only, so nothing in it is deleted."
            )
        }
        var reason = "It is deleted in a later session, after all other computers have synced."
        var mayHaveDeleted = false
        do throws(LibraryError) {
            // Without other devices, what is condemned can be deleted as soon as it is published.
            for _ in 0..<2 {
                try await performRemoval(of: blobs)
                try await publish()
            }
        } catch {
            reason = error.description
            // A deletion without an answer can have succeeded.
            mayHaveDeleted = true
        }
        let isDeleted = blobs.contains { machine.state.blobs[$0]?.isGone == true }
        guard isDeleted || mayHaveDeleted else {
            return (Set(blobs.map { ObjectName.blob($0).description }), reason)
        }
        return (Set(try await listBlobs().map(\.key.text)), reason)
    }

    /// Deletes the blobs that earlier sessions, or other devices, condemned as abandoned.
    func removeCondemnedUnnamedBlobs() async throws(LibraryError) {
        try await performRemoval(of: machine.condemnedUnnamedBlobs)
    }

    private func performRemoval(of blobs: [BlobName]) async throws(LibraryError) {
        var rest = blobs[...]
        while !rest.isEmpty, mayContinue {
            let next = rest.prefix(Self.objectsPerStep)
            rest = rest.dropFirst(next.count)
            try await complete(.perform(.removeAbandoned(Set(next))))
        }
    }

    /// Lists all blobs in the store, in the order of their names.
    func listBlobs() async throws(LibraryError) -> [ListedObject] {
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            try await store.list(try ObjectPrefix("blob/"), timeout: CloudObjectReader.timeout)
        }
    }
}
