internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// Migration of libraries of other programs, for the library's owner.
extension EmbeddedService {
    func beginMigration(
        _ request: MigrationBeginRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> MigrationBeginReply {
        try view.access.requireEverything()
        return try migrator.begin(request, files: files)
    }

    func continueMigration(_ request: MigrationStepRequest) throws(LibraryError)
        -> MigrationStepReply
    {
        try view.access.requireEverything()
        background?.recordActivity()
        let reply = try migrator.step(request)
        background?.add(
            reply.lines.filter { $0.outcome == .imported && $0.isLeading }.compactMap { line in
                line.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
            }
        )
        return reply
    }

    func endMigration(_ request: MigrationEndRequest) throws(LibraryError) {
        try migrator.end(request)
    }
}
