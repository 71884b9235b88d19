internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func openTakeout(_ request: TakeoutOpenRequest, files: [Descriptor]) throws(LibraryError)
        -> TakeoutOpenReply
    {
        try whole { try takeouts.open(request, files: files) }
    }

    func stepTakeout(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply {
        try whole {
            engine.background?.recordActivity()
            var reply = try takeouts.step(request)
            for index in reply.lines.indices {
                try hidePlanned(&reply.lines[index].line.localIdentifier)
            }
            engine.background?.add(
                reply.lines.map(\.line).filter { $0.outcome == .imported }.compactMap { line in
                    line.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
                }
            )
            return reply
        }
    }
}
