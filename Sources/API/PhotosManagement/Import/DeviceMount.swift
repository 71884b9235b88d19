internal import Glibc
internal import ImportSources

/// A mount through which the system shows a camera or a phone as a folder.
struct DeviceMount: Hashable, Sendable {
    /// The type in the table of mounts, such as `fuse.gvfsd-fuse`.
    let type: String

    /// The types of mounts.
    ///
    /// GVfs and KIO also show network folders, for which the same caution
    /// applies: their files have no identity either.
    private static let names: Set<String> = [
        "gvfsd-fuse", "kio-fuse", "jmtpfs", "simple-mtpfs", "mtpfs", "go-mtpfs", "go-mtpfs-fuse",
        "aft-mtp-mount", "android-file-transfer", "ifuse", "gphotofs", "gphoto2fs",
    ]

    /// Returns the mount of a file or folder; nil if it is not on a device.
    init?(of path: SourcePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev))
    }

    /// Returns the mount with a device number; nil if it is not that of a device.
    init?(device: UInt64) {
        // Mounts without a disk have the major number 0.
        guard Self.major(device) == 0, let table = Self.table() else { return nil }
        let number = "0:\(Self.minor(device))"
        let fields = table.split(separator: "\n").lazy
            .map { $0.split(separator: " ") }
            .first { $0.count > 2 && $0[2] == number }
        guard let fields, let dash = fields.firstIndex(of: "-"), dash + 2 < fields.endIndex
        else { return nil }
        let type = String(fields[dash + 1])
        // A program without a subtype has its name as the source of the mount.
        let name = type.hasPrefix("fuse.") ? String(type.dropFirst(5)) : String(fields[dash + 2])
        guard type.hasPrefix("fuse"), Self.names.contains(name) else { return nil }
        self.type = type.hasPrefix("fuse.") ? type : "fuse.\(name)"
    }

    private static func major(_ device: UInt64) -> UInt64 {
        device >> 8 & 0xfff | device >> 32 & ~0xfff
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xff | device >> 12 & 0xffff_ff00
    }

    /// Reads the table of mounts, whose paths may contain any byte.
    private static func table() -> String? {
        guard let file = fopen("/proc/self/mountinfo", "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
