import ArgumentParser
import PhotosManagement

/// Checks paths that are used as text.
///
/// Swift repairs bytes that are not valid UTF-8, which makes another path of them.
enum TextPath {
    /// Returns the absolute path that an argument stands for.
    ///
    /// - Throws: A usage error if the argument, or the current folder before a relative path, is
    ///   not valid UTF-8.
    static func absolute(_ argument: String) throws -> String {
        try text(of: RawArguments.path(argument).absolute())
    }

    /// Throws a usage error if an argument is not valid UTF-8.
    static func check(_ argument: String) throws {
        _ = try text(of: RawArguments.path(argument))
    }

    /// Returns a path as text.
    ///
    /// - Throws: A usage error if the path is not valid UTF-8.
    static func text(of path: SourcePath) throws -> String {
        guard path.isUTF8 else {
            throw ValidationError(
                "The path \(TerminalStyle.safe(path.description)) cannot be used: it is not valid"
                    + " UTF-8. Rename the file or folder, or choose another path."
            )
        }
        return path.description
    }
}
