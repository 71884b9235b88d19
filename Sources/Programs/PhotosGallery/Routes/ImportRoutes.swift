internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PhotosJSON
internal import PhotosManagement

/// The routes for imports: uploaded files, and folders and libraries on this machine.
struct ImportRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    private struct Announcement: Decodable, Sendable {
        var path: String
        var size: Int64
        var modified: Double?
    }

    func add(to router: Router<GalleryContext>) {
        addSessions(to: router)
        addReports(to: router)
        addFiles(to: router)
        addFolders(to: router)
    }

    private func addSessions(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.post("/api/imports") { request, context -> Response in
            let choices = try await request.decoded(ImportChoices.self)
            let owner = context.session
            let session = try await Blocking.run {
                guard let folder = choices.folder else {
                    try choices.requireNone()
                    return try gallery.imports.begin(for: owner)
                }
                try Self.requireOwnMachine(gallery)
                return try gallery.imports.begin(folder: folder, choices, for: owner)
            }
            var object = JSONObject()
            object.add("session", session.name)
            return .json(object, status: .created)
        }
        router.get("/api/imports") { _, _ -> Response in .json(gallery.imports.json) }
        router.get("/api/imports/:session") { _, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            return try await Self.report(session, gallery, context)
        }
        router.post("/api/imports/:session/finish") { _, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            try await Blocking.run { try gallery.imports.finish(session) }
            return try await Self.report(session, gallery, context, status: .accepted)
        }
        router.delete("/api/imports/:session") { _, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            try await Blocking.run { session.stop() }
            return try await Self.report(session, gallery, context)
        }
    }

    private func addReports(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/imports/:session/items") { request, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            let outcome = request.query("outcome").flatMap { $0.isEmpty ? nil : $0 }
            let offset = try request.number("from", in: 0...ImportReport.listedLimit, default: 0)
            let count = try request.number(
                "count",
                in: 1...ImportReport.pageLimit,
                default: ImportReport.pageLimit
            )
            let (reader, isUnlocked) = (context.session, context.isUnlocked)
            return try await Blocking.run {
                .json(
                    gallery.imports.report(
                        of: session,
                        for: reader,
                        outcome: outcome,
                        from: offset,
                        count: count,
                        showsHidden: isUnlocked
                    )
                )
            }
        }
        router.get("/api/imports/:session/report") { _, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            let (reader, isUnlocked) = (context.session, context.isUnlocked)
            let text = try await Blocking.run {
                gallery.imports.reportLines(of: session, for: reader, showsHidden: isUnlocked)
            }
            var answer = Response.json(text: text)
            answer.headers[.contentType] = "application/jsonl; charset=utf-8"
            answer.headers[.contentDisposition] =
                "attachment; filename=\"import-report.jsonl\""
            return answer
        }
    }

    /// Responds with the state of an import, limited to what the session may see.
    private static func report(
        _ session: GalleryImport,
        _ gallery: Gallery,
        _ context: GalleryContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (reader, isUnlocked) = (context.session, context.isUnlocked)
        return try await Blocking.run {
            let report = gallery.imports.json(of: session, for: reader, showsHidden: isUnlocked)
            return .json(report, status: status)
        }
    }

    private func addFiles(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.post("/api/imports/:session/files") { request, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            let file = try await request.decoded(Announcement.self)
            let modified = file.modified ?? Date().timeIntervalSince1970 * 1_000
            let (number, offset) = try await Blocking.run {
                try session.announce(path: file.path, size: file.size, modified: modified)
            }
            var object = JSONObject()
            object.add("file", number)
            object.add("offset", offset)
            return .json(object)
        }
        router.put("/api/imports/:session/files/:number") { request, context -> Response in
            let session = try gallery.imports.session(try context.path("session"))
            let number = Int(try context.path("number")) ?? -1
            let offset = try request.number("offset", in: 0...Int(Imports.fileLimit))
            try await request.refuse(
                longerThan: Imports.chunkSize,
                "A request can send at most \(Imports.chunkSize) bytes."
            )
            let result = try await session.receive(number, at: Int64(offset)) { write in
                var count = 0
                for try await buffer in request.body {
                    count += buffer.readableBytes
                    guard count <= Imports.chunkSize else {
                        throw RequestError(
                            .tooLarge,
                            "A request can send at most \(Imports.chunkSize) bytes."
                        )
                    }
                    try await write(Data(buffer.readableBytesView))
                }
            }
            var object = JSONObject()
            object.add("offset", result.offset)
            object.add("done", result.done)
            return .json(object)
        }
    }

    // MARK: - Folders on this machine

    private func addFolders(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/folders") { request, _ -> Response in
            try Self.requireOwnMachine(gallery)
            let path = request.query("path") ?? NSHomeDirectory()
            let text = try await Blocking.run { try Self.folder(path) }
            return .json(text: text)
        }
    }

    private static func requireOwnMachine(_ gallery: Gallery) throws {
        guard !gallery.options.isOpen else {
            throw RequestError(
                .refused,
                "A gallery on the network does not list the folders of its computer."
            )
        }
    }

    /// Returns a folder's subfolders, number of files, and kind of import source.
    private static func folder(_ path: String) throws -> String {
        let url = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
        var isFolder: ObjCBool = false
        guard path.hasPrefix("/"),
            FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            isFolder.boolValue,
            let entries = try? FileManager.default.contentsOfDirectory(
                at: url,
                includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles
            )
        else { throw RequestError.notFound("The folder \(path) cannot be read.") }
        var folders: [String] = []
        var files = 0
        for entry in entries {
            let values = try? entry.resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory ?? false {
                folders.append(entry.lastPathComponent)
            } else {
                files += 1
            }
        }
        folders.sort { $0.localizedStandardCompare($1) == .orderedAscending }
        let own = Self.path(url)
        var object = JSONObject()
        object.add("path", own)
        object.add("parent", own == "/" ? nil : Self.path(url.deletingLastPathComponent()))
        object.add("folders", Array(folders.prefix(10_000)))
        object.add("files", files)
        let source = SourcePath(own)
        let kind = ImportSourceKind(of: source)
        let isTakeout =
            kind == .files && LibraryImport.filesAndFolders(among: [source]).isEmpty
        object.add("kind", isTakeout ? "takeout" : kind.rawValue)
        object.add("reason", kind.reasonAgainst)
        return object.line
    }

    /// Returns the path of a folder without a trailing slash.
    private static func path(_ folder: URL) -> String {
        let path = folder.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
