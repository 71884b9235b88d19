internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func openTakeout(_ request: TakeoutOpenRequest, files: [Descriptor]) throws(LibraryError)
        -> TakeoutOpenReply
    {
        try view.access.requireEverything()
        return try takeouts.open(request, files: files)
    }

    func stepTakeout(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply {
        try view.access.requireEverything()
        background?.recordActivity()
        let reply = try takeouts.step(request)
        background?.add(
            reply.lines.map(\.line).filter { $0.outcome == .imported }.compactMap { line in
                line.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
            }
        )
        return reply
    }
}
