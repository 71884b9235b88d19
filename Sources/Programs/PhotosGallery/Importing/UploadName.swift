internal import Foundation

/// Makes of a name that a browser sent a path that stays where it is put.
enum UploadName {
    private static let depthLimit = 32

    /// The parts of a path: no empty ones, none that leads up, none that is hidden or too long.
    ///
    /// Nil where no file name is left.
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
        // The end tells what it is, so the beginning is cut.
        var short = name
        while short.utf8.count > 200 { short.removeFirst() }
        return short
    }
}
