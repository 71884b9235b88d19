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
        var reply = try takeouts.step(request)
        for index in reply.lines.indices {
            try hidePlanned(&reply.lines[index].line.localIdentifier)
        }
        background?.add(
            reply.lines.map(\.line).filter { $0.outcome == .imported }.compactMap { line in
                line.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
            }
        )
        return reply
    }
}
