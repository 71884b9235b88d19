internal import Glibc
internal import ImportSources

/// A path in the file system, stored as its bytes.
///
/// File names on Linux are bytes that need not be valid text. Keeping the bytes allows every file
/// to be imported and reported.
public struct SourcePath: Hashable, Sendable, CustomStringConvertible {
    /// The bytes, without a null terminator.
    public let bytes: [UInt8]

    /// Creates a path from arbitrary bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a path from text.
    public init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// Indicates whether the bytes are valid UTF-8.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Indicates whether a file, a folder or a symbolic link, even a dangling one, exists at the
    /// path.
    public var exists: Bool {
        var status = stat()
        return bytes.withCString { lstat($0, &status) } == 0
    }

    /// The part after the last slash.
    public var lastComponent: SourcePath { SourcePath(bytes: bytes.lastComponent) }

    /// Returns the absolute path without resolving symbolic links.
    ///
    /// Repeated slashes, `.` and trailing slashes are removed. `..` is removed together with the
    /// component before it, unless that component is a symbolic link, because the path would then
    /// lead elsewhere.
    public func absolute() -> SourcePath {
        var whole = bytes
        if whole.first != slash { whole = Self.currentFolder + [slash] + whole }
        var result: [UInt8] = []
        for part in whole.split(separator: slash) {
            switch Array(part) {
            case [dot]: continue
            case [dot, dot] where result.isEmpty: continue
            case [dot, dot] where !Self.isLink(result) && !result.hasSuffix([slash, dot, dot]):
                result.removeSubrange((result.lastIndex(of: slash) ?? 0)...)
            default:
                result.append(slash)
                result.append(contentsOf: part)
            }
        }
        return SourcePath(bytes: result.isEmpty ? [slash] : result)
    }

    /// Returns the path of an entry of this folder.
    func appending(_ name: [UInt8]) -> SourcePath {
        SourcePath(bytes: bytes.last == slash ? bytes + name : bytes + [slash] + name)
    }

    /// Runs `body` with the path as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        bytes.withCString(body)
    }

    private static var currentFolder: [UInt8] {
        guard let path = getcwd(nil, 0) else { return [] }
        defer { free(path) }
        return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }

    private static func isLink(_ path: [UInt8]) -> Bool {
        var status = stat()
        return path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}

private let slash = UInt8(ascii: "/")
private let dot = UInt8(ascii: ".")
