internal import Foundation
internal import Glibc
internal import NIOCore

/// The static files of the gallery's page.
///
/// All files are loaded at the start, so that no request accesses the file system by name. The
/// gallery's modules are joined into one script. Other HTML files name all modules that their
/// scripts import, so that browsers request them at once.
struct GalleryPage: Sendable {
    /// A static file with its media type and entity tag.
    struct File: Sendable {
        let bytes: ByteBuffer
        let type: String
        let tag: String

        var text: String { String(decoding: bytes.readableBytesView, as: UTF8.self) }
    }

    /// The files by their paths relative to the page's folder.
    let files: [String: File]

    /// Loads the installed page.
    ///
    /// Searches `$PHOTOS_GALLERY_PAGE` if it is set, otherwise the folders next to the program
    /// where a build or an installation puts it.
    init() throws {
        for path in Self.paths {
            if let page = try Self(folder: URL(filePath: path, directoryHint: .isDirectory)) {
                self = page
                return
            }
        }
        throw GalleryError.pageMissing(Self.paths)
    }

    /// Loads a page from a folder; returns nil if the folder does not contain one.
    init?(folder: URL) throws {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path),
            names.contains("index.html")
        else { return nil }
        var contents: [String: Data] = [:]
        var types: [String: String] = [:]
        for name in names {
            guard let dot = name.lastIndex(of: "."),
                let type = Self.types[String(name[name.index(after: dot)...])]
            else { continue }
            contents[name] = try Data(contentsOf: folder.appending(path: name))
            types[name] = type
        }
        let modules = ModuleGraph(scripts: contents)
        let index = contents["index.html"] ?? Data()
        let bundle = ModuleBundle(html: index, scripts: contents)
        if let bundle {
            contents["index.html"] = bundle.html
            contents[ModuleBundle.name] = bundle.script
            types[ModuleBundle.name] = Self.types["js"]
        }
        for (name, bytes) in contents
        where types[name] == Self.types["html"] && !(name == "index.html" && bundle != nil) {
            contents[name] = modules.preloading(bytes)
        }
        files = contents.reduce(into: [:]) { files, content in
            let (name, bytes) = content
            files[name] = File(
                bytes: ByteBuffer(bytes: bytes),
                type: types[name] ?? "",
                tag: "\"\(Digest.sha256(bytes).prefix(32))\""
            )
        }
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png",
        "ico": "image/x-icon", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
    ]

    private static var paths: [String] {
        if let path = getenv("PHOTOS_GALLERY_PAGE") { return [String(cString: path)] }
        guard let program = realpath("/proc/self/exe", nil) else { return [] }
        defer { free(program) }
        let folder = URL(filePath: String(cString: program)).deletingLastPathComponent().path
        return [
            "\(folder)/swift-photos_PhotosGallery.resources/Page",
            "\(folder)/../share/swift-photos/gallery",
        ]
    }
}
