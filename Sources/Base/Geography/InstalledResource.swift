package import Foundation
internal import Glibc

/// A data file that is installed with the library.
package enum InstalledResource {
    /// Loads an installed data file that `read` accepts; returns nil if there is no such file.
    ///
    /// The file is at the path in the environment variable that `variable` names, or else in the
    /// build or installation folders relative to the program. It is memory-mapped where that is
    /// safe.
    package static func load<Contents>(
        _ name: String,
        variable: String,
        as read: (Data) -> Contents?
    ) -> Contents? {
        for path in paths(of: name, variable: variable) {
            let url = URL(filePath: path)
            if let bytes = try? Data(contentsOf: url, options: .mappedIfSafe),
                let contents = read(bytes)
            {
                return contents
            }
        }
        return nil
    }

    private static func paths(of name: String, variable: String) -> [String] {
        if let path = getenv(variable) { return [String(cString: path)] }
        guard let program = realpath("/proc/self/exe", nil) else { return [] }
        defer { free(program) }
        let folder = URL(filePath: String(cString: program)).deletingLastPathComponent().path
        return [
            "\(folder)/swift-photos_Geography.resources/\(name)",
            "\(folder)/\(name)",
            "\(folder)/../share/swift-photos/\(name)",
        ]
    }
}
