internal import Glibc

/// Determines the real paths of open files, unaffected by concurrent changes of symbolic links.
package enum RealPath {
    /// Returns the real path of an open file or folder; nil if the system does not report it.
    package static func of(_ number: Int32) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// Returns whether an open file is inside a folder that is given by its real path.
    package static func isFile(_ number: Int32, below folder: [UInt8]) -> Bool {
        guard let path = of(number) else { return false }
        let slash = UInt8(ascii: "/")
        return path.starts(with: folder.last == slash ? folder : folder + [slash])
    }
}
