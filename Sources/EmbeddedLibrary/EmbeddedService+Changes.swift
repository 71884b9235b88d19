internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        let reply = try committer.commit(request, files: files)
        var created: [String] = []
        var hasPurged = false
        for operation in request.changes.operations {
            switch operation.action {
            case .createAsset(let creation): created.append(creation.uuid)
            case .purgeAssets: hasPurged = true
            default: break
            }
        }
        background?.add(created)
        // Whoever deletes for good means the small pictures too. What fails is made up for by the next.
        if hasPurged { try? renditionKeeper.sweep() }
        return reply
    }
}
