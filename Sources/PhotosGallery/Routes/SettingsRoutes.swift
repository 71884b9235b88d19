internal import Foundation
internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The check of the library, storage and small pictures.
struct SettingsRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/check") { _, context -> Response in
            let isUnlocked = context.isUnlocked
            return try await Blocking.run {
                .json(gallery.check.json(showsHidden: isUnlocked))
            }
        }
        router.post("/api/check") { request, context -> Response in
            let order = try await request.decoded(CheckOrder.self)
            try gallery.check.start(full: order.full ?? false, repair: order.repair ?? false)
            let isUnlocked = context.isUnlocked
            return try await Blocking.run {
                .json(gallery.check.json(showsHidden: isUnlocked), status: .accepted)
            }
        }
        router.delete("/api/check") { _, context -> Response in
            gallery.check.job.stop()
            let isUnlocked = context.isUnlocked
            return try await Blocking.run { .json(gallery.check.json(showsHidden: isUnlocked)) }
        }
        router.get("/api/renditions") { _, _ -> Response in
            .json(text: try await Blocking.run { try gallery.renditions.json().line })
        }
        router.post("/api/renditions") { request, _ -> Response in
            let order = try await request.decoded(JobOrder.self)
            let text = try await Blocking.run {
                switch order.action {
                case "build": try gallery.renditions.build()
                case "drop": try gallery.renditions.drop()
                case "stop": gallery.renditions.job.stop()
                default: throw Refusal.badRequest("action is build, drop or stop.")
                }
                return try gallery.renditions.json().line
            }
            return .json(text: text)
        }
        router.get("/api/storage") { _, context -> Response in
            let storage = Storage(library: gallery.view(for: context).library)
            return .json(text: try await Blocking.run { try storage.json() })
        }
    }

    private struct CheckOrder: Decodable, Sendable {
        var full: Bool?
        var repair: Bool?
    }
}

/// The lengths of a library's files, counted as `photos status` counts them.
private struct Storage {
    let library: PhotoLibraryBundle

    func json() throws -> String {
        var object = JSONObject()
        for part in ["originals", "edits", "staging"] { object.add(part, bytes(part)) }
        // Asking the library about its small pictures would look at all of them.
        let renditions = bytes("database") { $0.hasPrefix("renditions.sqlite") }
        object.add("database", bytes("database") - renditions)
        object.add("renditions", renditions)
        let path = library.url.path(percentEncoded: false)
        let volume = try? FileManager.default.attributesOfFileSystem(forPath: path)
        object.add("free", (volume?[.systemFreeSize] as? NSNumber)?.int64Value)
        var counts = JSONObject()
        counts.add("assets", try library.fetchAssets(with: nil).count)
        counts.add("deleted", try library.recentlyDeletedAssets().count)
        object.add("counts", counts)
        return object.line
    }

    /// The sum of the lengths of the files below a folder of the library.
    ///
    /// Not their allocated size: Foundation on Linux multiplies blocks of 512 bytes by the block size of
    /// the file system, which is eight times too much.
    private func bytes(
        _ folder: String,
        where condition: (String) -> Bool = { _ in true }
    ) -> Int64 {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey]
        let files = FileManager.default.enumerator(
            at: library.url.appending(path: folder),
            includingPropertiesForKeys: Array(keys)
        )
        var total: Int64 = 0
        while let url = files?.nextObject() as? URL {
            let values = try? url.resourceValues(forKeys: keys)
            guard values?.isRegularFile ?? false, condition(url.lastPathComponent) else {
                continue
            }
            total += Int64(values?.fileSize ?? 0)
        }
        return total
    }
}
