internal import Foundation
internal import LibraryService

/// An open file of a library, and a URL for reading it.
///
/// A program that uses the daemon without owning the library does not learn where the file is. Its
/// URL names the open file instead, and is valid as long as this value exists.
struct LibraryFile: Sendable {
    let url: URL
    /// The open file; nil if the URL is that of the file itself.
    private let descriptor: Descriptor?

    /// Indicates whether the URL is valid only as long as this value exists.
    var isTemporary: Bool { descriptor != nil }

    /// - Parameters:
    ///   - path: The absolute path; nil for a program that does not learn it.
    ///   - descriptor: The file, open for reading.
    init(path: String?, _ descriptor: Descriptor) {
        self.descriptor = path == nil ? descriptor : nil
        url = URL(
            fileURLWithPath: path ?? "\(Self.process)/fd/\(descriptor.number)",
            isDirectory: false
        )
    }

    /// The folder of this process, not `self`, so that programs that it starts can read the file.
    private static let process: String = {
        let number = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")
        return "/proc/\(number ?? "self")"
    }()
}
