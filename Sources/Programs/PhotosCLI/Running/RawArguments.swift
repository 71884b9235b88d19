import Foundation
import PhotosManagement

/// The arguments as the bytes that they are.
///
/// Swift's own list repairs what is not UTF-8, after which no such file is found.
enum RawArguments {
    /// The path that an argument stands for, with the bytes that were given.
    static func path(_ argument: String) -> SourcePath {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return SourcePath(argument) }
        return byDescription[argument] ?? SourcePath(argument)
    }

    /// Whether an argument was given as text, so that nothing of it was repaired.
    static func isText(_ argument: String) -> Bool { path(argument).isUTF8 }

    /// Whether a path is one of the arguments.
    static func holds(_ path: SourcePath) -> Bool { byDescription[path.description] == path }

    private static let byDescription = Dictionary(
        all.map { ($0.description, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    private static var all: [SourcePath] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
            .compactMap { pointer in
                guard let pointer else { return nil }
                let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
                return SourcePath(bytes: Array(bytes))
            }
    }
}
