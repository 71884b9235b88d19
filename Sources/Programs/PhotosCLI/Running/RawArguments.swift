import Foundation
import PhotosManagement

/// Provides the process's arguments as raw bytes.
///
/// Swift's own list of arguments replaces invalid UTF-8, so that files with such names would not be
/// found.
enum RawArguments {
    /// Returns the path given by an argument, with the argument's original bytes.
    static func path(_ argument: String) -> SourcePath {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return SourcePath(argument) }
        return byDescription[argument] ?? SourcePath(argument)
    }

    /// Indicates whether the original bytes of an argument are valid UTF-8.
    static func isText(_ argument: String) -> Bool { path(argument).isUTF8 }

    /// Indicates whether a path is one of the process's arguments.
    static func holds(_ path: SourcePath) -> Bool { byDescription[path.description] == path }

    private static let byDescription = Dictionary(
        all.flatMap(texts).map { ($0.description, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns an argument and, if it has the form `--option=value`, the value.
    private static func texts(in argument: SourcePath) -> [SourcePath] {
        let bytes = argument.bytes
        guard bytes.first == UInt8(ascii: "-"), let equals = bytes.firstIndex(of: UInt8(ascii: "="))
        else { return [argument] }
        return [argument, SourcePath(bytes: Array(bytes[(equals + 1)...]))]
    }

    private static var all: [SourcePath] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
            .compactMap { pointer in
                guard let pointer else { return nil }
                let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
                return SourcePath(bytes: Array(bytes))
            }
    }
}
