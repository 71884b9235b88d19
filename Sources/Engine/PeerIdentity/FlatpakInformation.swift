/// The content of the file `.flatpak-info`, which Flatpak places in the root folder of each
/// sandbox.
struct FlatpakInformation: Hashable {
    /// The application id, such as `org.example.Viewer`.
    var application: String
    /// The host folders that the sandbox may read, in the notation of Flatpak permissions.
    var folders: [String]

    /// Parses the text of the file; nil if it names no application.
    init?(_ text: String) {
        var group: Substring = ""
        var values: [Substring: [Substring: Substring]] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                group = line
            } else if let mark = line.firstIndex(of: "=") {
                let value = line[line.index(after: mark)...]
                // The first of two equal keys counts, so that a later line cannot replace it.
                if values[group]?[line[..<mark]] == nil {
                    values[group, default: [:]][line[..<mark]] = value
                }
            }
        }
        guard let name = values["[Application]"]?["name"], Self.isIdentifier(name) else {
            return nil
        }
        application = String(name)
        let entries = (values["[Context]"]?["filesystems"] ?? "").split(separator: ";")
        let refused = Set(entries.filter { $0.hasPrefix("!") }.map { $0.dropFirst() })
        folders = entries.filter { !$0.hasPrefix("!") && !refused.contains(Self.base(of: $0)) }
            .map(String.init)
    }

    /// Returns whether the sandbox may read a folder of the host.
    ///
    /// - Parameters:
    ///   - folder: Its absolute real path.
    ///   - entries: The file system permissions of the sandbox.
    ///   - home: The user's home folder.
    ///   - pictures: The user's folder for pictures.
    /// - Returns: Whether an entry covers the folder.
    static func canRead(
        _ folder: String,
        by entries: [String],
        home: String,
        pictures: String
    ) -> Bool {
        entries.contains { entry in
            let place = String(base(of: entry[...]))
            switch place {
            case "host": return !isBelow(folder, "/usr") && !isBelow(folder, "/etc")
            case "home", "~": return isBelow(folder, home)
            case "xdg-pictures": return isBelow(folder, pictures)
            default:
                if place.hasPrefix("~/") { return isBelow(folder, home + place.dropFirst()) }
                if place.hasPrefix("xdg-pictures/") {
                    return isBelow(folder, pictures + place.dropFirst("xdg-pictures".count))
                }
                // The folder itself, a folder above it, or one inside of the library.
                return place.hasPrefix("/") && (isBelow(folder, place) || isBelow(place, folder))
            }
        }
    }

    // Without the mode behind the path, as in `xdg-pictures:ro`.
    private static func base(of entry: Substring) -> Substring {
        for mode in [":ro", ":rw", ":create"] where entry.hasSuffix(mode) {
            return entry.dropLast(mode.count)
        }
        return entry
    }

    private static func isBelow(_ path: String, _ folder: String) -> Bool {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        return path == folder || path.hasPrefix(folder + "/")
    }

    private static func isIdentifier(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && name.contains(".")
            && name.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0))
            }
    }
}
