internal import Foundation

/// Converts a file name that a browser sent into a path that cannot leave the upload folder.
enum UploadName {
    private static let depthLimit = 32

    /// Returns the components of a path, except empty components, `.` and `..`.
    ///
    /// Components are shortened to 200 bytes. The result is nil if no component remains, or if
    /// there are more than 32.
    static func parts(_ path: String) -> [String]? {
        let parts = path.split { $0 == "/" || $0 == "\\" }
            .map { clean(String($0)) }
            .filter { !$0.isEmpty }
        guard !parts.isEmpty, parts.count <= depthLimit else { return nil }
        return parts
    }

    private static func clean(_ part: String) -> String {
        let scalars = part.unicodeScalars.map { scalar in
            CharacterSet.controlCharacters.contains(scalar) ? "_" : Character(scalar)
        }
        let name = String(scalars).trimmingCharacters(in: .whitespaces)
        guard name != ".", name != ".." else { return "" }
        guard name.utf8.count > 200 else { return name }
        // The end contains the file name extension, so the beginning is cut.
        var short = name
        while short.utf8.count > 200 { short.removeFirst() }
        return short
    }
}
