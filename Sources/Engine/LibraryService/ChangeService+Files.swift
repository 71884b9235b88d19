package import PhotoModel
internal import FoundationEssentials

extension ChangeService {
    /// The maximum number of files that are staged at the same time.
    private var stagingWidth: Int {
        max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))
    }

    /// Stages the files of a change set.
    ///
    /// - Parameters:
    ///   - changes: The change set, whose tokens are indexes of `files`.
    ///   - files: The files. One that belongs to two resources is staged twice.
    /// - Returns: The change set with the tokens of the staged files.
    /// - Throws: The first problem with a file; no file stays staged.
    package func staged(
        _ changes: ChangeSet,
        files: [Descriptor]
    ) throws(LibraryError) -> ChangeSet {
        let resources = changes.resources
        guard !resources.isEmpty else { return changes }
        let tokens = try Parallel.map(count: resources.count, width: stagingWidth) {
            position
                throws(LibraryError) -> FileToken in
            let resource = resources[position]
            do throws(LibraryError) {
                guard let index = Int(exactly: resource.file.number),
                    files.indices.contains(index)
                else { throw .unknownToken(of: resource) }
                return try stage(StageRequest(for: resource), file: files[index]).token
            } catch {
                throw changes.named(error, file: resource.file)
            }
        } discarding: { token in
            try? releaseTokens(ReleaseTokensRequest(tokens: [token]))
        }
        var rest = tokens[...]
        return changes.mappingTokens { rest.popFirst() ?? $0 }
    }

    /// Stages the files of a change set and commits it.
    ///
    /// - Parameters:
    ///   - changes: The change set, whose tokens are indexes of `files`.
    ///   - files: The files.
    /// - Returns: The reply to the commit.
    /// - Throws: The reason why nothing was changed; no file stays staged.
    @discardableResult
    package func commit(
        _ changes: ChangeSet,
        files: [Descriptor]
    ) throws(LibraryError) -> CommitReply {
        try commit(CommitRequest(changes: try staged(changes, files: files)))
    }
}
