internal import Glibc
internal import LibraryService
package import PhotoModel

/// The kernel's table of the mounts that this process sees.
///
/// Paths in it may contain any byte. The kernel writes white space, `#` and backslashes as a
/// backslash with three octal digits.
///
/// Specification: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
package struct MountTable: Sendable {
    /// A mount.
    package struct Mount: Hashable, Sendable {
        /// The device numbers of the mounted file system; the major number is 0 if it has no block
        /// device.
        package let major: UInt64
        package let minor: UInt64
        /// The path of the mount point.
        package let point: [UInt8]
        /// The type of the file system, such as `fuse.gvfsd-fuse`.
        package let type: [UInt8]
        /// The mounted device, or a name chosen by the program that mounted the file system.
        package let source: [UInt8]
    }

    /// The mounts, in the order of the table; later ones may hide earlier ones.
    package let mounts: [Mount]

    /// Parses a table; lines without the fields of a mount are skipped.
    package init(_ bytes: [UInt8]) {
        mounts = bytes.split(separator: UInt8(ascii: "\n")).compactMap(Self.mount)
    }

    /// Reads the present table.
    ///
    /// - Throws: The failed call, for example at the limit of open files.
    package static func current() throws(SystemError) -> MountTable {
        let path = "/proc/self/mountinfo"
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path: path) }
        let file = Descriptor(owning: number)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(file.number, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("read", path: path) }
            guard count > 0 else { return MountTable(bytes) }
            bytes += chunk.prefix(count)
        }
    }

    /// Returns whether a folder is on a different volume than its parent folder.
    package static func isMountPoint(_ path: [UInt8]) -> Bool {
        var (own, parent) = (stat(), stat())
        return path.withCString({ lstat($0, &own) }) == 0
            && (path + Array("/..".utf8)).withCString({ stat($0, &parent) }) == 0
            && own.st_dev != parent.st_dev
    }

    private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        // Any number of optional fields ends with a dash.
        guard fields.count > 6, let dash = fields[6...].firstIndex(of: [UInt8(ascii: "-")]),
            dash + 2 < fields.count
        else { return nil }
        let numbers = fields[2].split(separator: UInt8(ascii: ":")).map {
            UInt64(String(decoding: $0, as: UTF8.self))
        }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        return Mount(
            major: major,
            minor: minor,
            point: unescaped(fields[4]),
            type: unescaped(fields[dash + 1]),
            source: unescaped(fields[dash + 2])
        )
    }

    /// Replaces each backslash followed by three octal digits with the byte of that value.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            let isOctal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            guard byte == UInt8(ascii: "\\"), digits.count == 3, isOctal,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                result.append(byte)
                continue
            }
            result.append(value)
            rest = rest.dropFirst(3)
        }
        return result
    }
}
