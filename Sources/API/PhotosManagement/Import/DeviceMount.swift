internal import Glibc
internal import ImportSources

/// A mount through which the system shows a camera or a phone as a folder.
struct DeviceMount: Hashable, Sendable {
    /// The file system type in the mount table, such as `fuse.gvfsd-fuse`.
    let type: String

    /// The names of the programs that mount cameras and phones as folders.
    ///
    /// GVfs and KIO also mount network folders. Those are treated like devices, since their files
    /// have no stable identity either.
    private static let names: Set<String> = [
        "gvfsd-fuse", "kio-fuse", "jmtpfs", "simple-mtpfs", "mtpfs", "go-mtpfs", "go-mtpfs-fuse",
        "aft-mtp-mount", "android-file-transfer", "ifuse", "gphotofs", "gphoto2fs",
    ]

    /// Finds the mount that contains a file or folder; returns nil if no camera or phone is mounted
    /// there.
    init?(of path: SourcePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev))
    }

    /// Finds the mount with a device number (`st_dev`); returns nil if no camera or phone is
    /// mounted there.
    init?(device: UInt64) {
        // Mounts without a disk have the major number 0.
        guard Self.major(device) == 0, let table = try? MountTable.current() else { return nil }
        let minor = Self.minor(device)
        guard let mount = table.mounts.first(where: { $0.major == 0 && $0.minor == minor })
        else { return nil }
        let type = mount.type.text
        // A program without a subtype has its name as the source of the mount.
        let name = type.hasPrefix("fuse.") ? String(type.dropFirst(5)) : mount.source.text
        guard type.hasPrefix("fuse"), Self.names.contains(name) else { return nil }
        self.type = type.hasPrefix("fuse.") ? type : "fuse.\(name)"
    }

    private static func major(_ device: UInt64) -> UInt64 {
        device >> 8 & 0xfff | device >> 32 & ~0xfff
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xff | device >> 12 & 0xffff_ff00
    }
}
