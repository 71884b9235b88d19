internal import FoundationEssentials
internal import Glibc
package import PhotoModel

/// Removes absolute paths, such as the library's path, from replies and errors for a client.
///
/// A file of the library is then named by the name of the library's folder and the path below it:
/// `Photos.photolibrary/originals/ab/…`.
package struct ConcealedPaths: Sendable {
    /// The paths of the library's folder, as given and with symbolic links resolved; the longest is
    /// first.
    private let folders: [String]

    /// Creates a filter that conceals the path of a library.
    ///
    /// - Parameter library: The path of the library's folder; nil for a client without a library.
    package init(library: String?) {
        let paths = [library, library.flatMap(Self.resolved)].compactMap(\.self)
        folders = Set(paths.filter(Self.isAbsolute)).sorted { $0.count > $1.count }
    }

    /// Returns a text in which the library's path is replaced by the name of the library's folder.
    package func text(_ text: String) -> String { Self.text(text, without: folders) }

    /// Returns a relative path unchanged; nil for an absolute path.
    package func path(_ path: String?) -> String? {
        path.flatMap { Self.isAbsolute($0) ? nil : $0 }
    }

    /// Returns an error whose texts and path do not reveal absolute paths.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - known: The paths that the client itself has stated, which its errors may repeat.
    /// - Returns: The error for the client.
    package func error(_ error: LibraryError, known: [String] = []) -> LibraryError {
        if let path = error.path, known.contains(path) { return error }
        let hidden = folders + [error.path].compactMap(\.self).filter(Self.isAbsolute)
        let paths = hidden.sorted { $0.count > $1.count }
        var concealed = error
        concealed.message = Self.text(error.message, without: paths)
        concealed.reason = error.reason.map { Self.text($0, without: paths) }
        concealed.recovery = error.recovery.map { Self.text($0, without: paths) }
        concealed.path = path(error.path)
        return concealed
    }

    private static func text(_ text: String, without paths: [String]) -> String {
        paths.reduce(text) { $0.replacing($1, with: name(of: $1)) }
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func isAbsolute(_ path: String) -> Bool {
        path.hasPrefix("/") && path.contains { $0 != "/" }
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
