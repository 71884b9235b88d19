internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func beginImport(_ request: ImportSessionRequest) throws(LibraryError) -> ImportSessionReply {
        try whole { try importer.beginImport(request, author: client.author) }
    }

    func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply {
        try whole {
            var reply = try importer.knownFiles(request)
            for index in reply.outcomes.indices {
                guard var outcome = reply.outcomes[index] else { continue }
                try hidePlanned(&outcome.localIdentifier)
                reply.outcomes[index] = outcome
            }
            return reply
        }
    }

    func importFiles(
        _ request: ImportFilesRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> ImportFilesReply {
        try whole {
            engine.background?.recordActivity()
            var reply = try importer.importFiles(request, files: files)
            for index in reply.outcomes.indices {
                try hidePlanned(&reply.outcomes[index].localIdentifier)
            }
            engine.background?.add(
                reply.outcomes.filter { $0.kind == .imported }.compactMap { outcome in
                    outcome.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
                }
            )
            return reply
        }
    }

    func endImport(_ request: ImportEndRequest) throws(LibraryError) {
        try call { try importer.endImport(request) }
    }
}
