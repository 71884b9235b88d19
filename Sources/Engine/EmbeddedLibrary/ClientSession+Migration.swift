internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// The calls that migrate other programs' libraries; only the library's owner may make them.
extension ClientSession {
    func beginMigration(
        _ request: MigrationBeginRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> MigrationBeginReply {
        try whole { try migrator.begin(request, files: files, author: client.author) }
    }

    func continueMigration(_ request: MigrationStepRequest) throws(LibraryError)
        -> MigrationStepReply
    {
        try whole {
            engine.background?.recordActivity()
            let reply = try migrator.step(request)
            engine.background?.add(
                reply.lines.filter { $0.outcome == .imported && $0.isLeading }.compactMap { line in
                    line.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
                }
            )
            return reply
        }
    }

    func endMigration(_ request: MigrationEndRequest) throws(LibraryError) {
        try call { try migrator.end(request) }
    }
}
