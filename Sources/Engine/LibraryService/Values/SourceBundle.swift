internal import Glibc

/// Recognizes folders that are photo libraries, whose files must not be imported one by one.
package enum SourceBundle {
    /// Returns the reason why a library's folder must not be entered; nil for an ordinary folder.
    package static func reason(against name: [UInt8], folder: Descriptor) -> String? {
        func exists(_ name: String) -> Bool { faccessat(folder.number, name, F_OK, 0) == 0 }
        // The bundles of iPhoto have the same suffix as ours.
        if exists("Database/apdb/Library.apdb") {
            return "It is a library of iPhoto or Aperture. Import it by its own path: photos import"
                + " PATH."
        }
        let suffix = name.suffix(from: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        switch String(decoding: suffix, as: UTF8.self).lowercased() {
        case ".photolibrary": return "It is a photo library."
        case ".photoslibrary":
            return "It is an Apple Photos library. Import it by its own path: photos import PATH."
        default: break
        }
        if exists("database/library.sqlite") { return "It is a photo library." }
        if exists("database/Photos.sqlite") || exists("database/photos.db") {
            return "It is an Apple Photos library. Import it by its own path: photos import PATH."
        }
        // Their thumbnails and edited versions would otherwise become photos.
        if exists("AlbumData.xml") {
            return "It is a library of iPhoto 8 or earlier. Import only its originals: the folder"
                + " Originals in it."
        }
        if exists("Aperture.aplib/Library.apdb") {
            return "It is a library of Aperture. Import only its originals: the folder Masters in"
                + " it."
        }
        // Its folders of hidden and deleted photos would otherwise become visible photos.
        let list = "library.jsonl".withCString {
            openat(folder.number, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
        if list >= 0 {
            defer { close(list) }
            if exists(".photos-export/library") || isExportList(list) {
                return "It is an export of a library. Import it by its own path: photos import"
                    + " PATH."
            }
        }
        return nil
    }

    /// Returns whether an open file is the manifest of an exported library, according to its first
    /// line.
    package static func isExportList(_ file: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
        let kind = Array("\"kind\":\"library\"".utf8)
        return line.first == UInt8(ascii: "{")
            && line.indices.contains { line[$0...].starts(with: kind) }
    }
}
