internal import CLinuxShim
internal import Glibc

/// The folder `/proc/PID` of a process, whose contents are valid only while the process lives.
///
/// The process may control the contents of its files. Links among them are not followed, and
/// reading never blocks.
struct ProcessFolder {
    /// The device and inode numbers that identify a file.
    struct FileNumber: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    let processID: Int32

    private var path: String { "/proc/\(processID)" }

    /// The path of the process's executable, as this program sees it; nil if it is not readable.
    ///
    /// An executable that was replaced while it runs is still the same program.
    var executable: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path + "/exe", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        let target = String(decoding: bytes[..<count], as: UTF8.self)
        let mark = " (deleted)"
        return target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
    }

    /// The device and inode numbers of the process's root folder.
    var rootNumber: FileNumber? { Self.number(of: path + "/root") }

    /// The device and inode numbers of this program's own root folder.
    static var ownRootNumber: FileNumber? { number(of: "/") }

    /// The path of the process's control group; nil if it is not readable.
    var controlGroup: String? {
        guard let text = Self.text(path + "/cgroup", limit: 64 * 1024) else { return nil }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        let fields =
            lines.first { $0.count == 3 && $0[0] == "0" }
            ?? lines.first { $0.count == 3 && $0[1] == "name=systemd" }
        return fields.map { String($0[2]) }
    }

    /// The content of a file in the root folder of the process.
    enum RootFile: Equatable {
        case absent
        /// The file exists, but not in the form in which a sandbox creates it, or it cannot be
        /// read.
        case unusable
        case text(String)
    }

    /// Reads a file in the root folder of the process.
    ///
    /// A root on a FUSE file system is not accessed, since its server could block this process.
    func rootFile(_ name: String, limit: Int) -> RootFile {
        let root = cphotos_open_root(processID)
        guard root >= 0 else { return .unusable }
        defer { close(root) }
        let fuse = 0x6573_5546
        guard cphotos_file_system_type("/proc/self/fd/\(root)") != fuse else { return .unusable }
        let file = openat(root, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT ? .absent : .unusable }
        defer { close(file) }
        guard let text = Self.text(file, limit: limit) else { return .unusable }
        return .text(text)
    }

    // MARK: - Files

    static func text(_ path: String, limit: Int) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return text(file, limit: limit)
    }

    /// Returns the text of a file; nil if the file is not regular, is longer than `limit` bytes or
    /// cannot be read.
    private static func text(_ file: Int32, limit: Int) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
        return nil
    }

    private static func number(of path: String) -> FileNumber? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileNumber(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
