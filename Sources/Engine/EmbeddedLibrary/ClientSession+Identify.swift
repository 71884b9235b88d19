internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

extension ClientSession {
    func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply
    {
        try call { try kind(of: file, request) }
    }

    private func kind(
        of file: Descriptor,
        _ request: IdentifyRequest
    ) throws(LibraryError) -> IdentifyReply {
        let probe = ProbeRequest(filename: request.filename, renditionSide: 0)
        do throws(WorkerError) {
            let answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try engine.workers.probe(probe, descriptor: file.number)
            }
            guard case .facts(let facts, _) = answer, !facts.format.isSidecar else {
                return IdentifyReply(mediaType: nil)
            }
            return IdentifyReply(mediaType: facts.format.isMovie ? .video : .image)
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "\(request.filename) cannot be read: \(error.message)",
                recovery: error.recovery
            )
        }
    }
}
