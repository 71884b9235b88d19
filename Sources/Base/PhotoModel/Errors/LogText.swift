internal import FoundationEssentials

/// Removes the names of people and places from texts that are logged above the debug level.
package enum LogText {
    /// The placeholder for removed text.
    package static let removed = "<private>"

    /// Returns a text without the parts that may name a person or a place.
    ///
    /// Removed are all parts in “quotation marks”, such as titles and file names, the given paths
    /// with the folders that contain them, and the home folder.
    package static func withoutNames(_ text: String, paths: [String] = []) -> String {
        var names = [FileManager.default.homeDirectoryForCurrentUser.path]
        for path in paths {
            var path = path
            while path.count > 1, path.hasPrefix("/") {
                names.append(path)
                let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
                path = String(folder)
            }
        }
        let unquoted = text.replacing(/“[^”]*”/, with: "“\(removed)”")
        return names.filter { $0.count > 1 }.sorted { $0.count > $1.count }
            .reduce(unquoted) { $0.replacing($1, with: removed) }
    }
}
