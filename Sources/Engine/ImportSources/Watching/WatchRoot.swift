internal import CLinuxShim
internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// A watch folder and its state while it is watched.
struct WatchRoot {
    /// The identity of the directory at the path, which changes when a volume is mounted there.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    var folder: WatchFolder
    let path: [UInt8]
    var ledger: WatchLedger
    /// The identity of the directory that was scanned last; nil while the folder is missing, and
    /// after that directory was removed or renamed.
    var identity: Identity?
    /// The time of the next scan; nil if none is planned.
    var nextScan: SuspendingClock.Instant?
    /// Indicates whether a part of the folder could not be read, so that some files may be unknown.
    var isIncomplete = false
    /// The failures to read a part of the folder that were logged as warnings, each once.
    var reportedFailures: Set<SystemError> = []
    /// Indicates whether the folder has changes that are not yet saved to the list of watch
    /// folders.
    var isChanged = false

    init(_ folder: WatchFolder, ledgers: String) {
        self.folder = folder
        path = Array(folder.path.utf8)
        mkdir(ledgers, 0o700)
        ledger = WatchLedger(path: ledgers + "/" + folder.identifier.uuidString)
    }

    /// Examines the folder and returns its identity; nil if it is missing, or if its volume is not
    /// mounted.
    mutating func look() -> Identity? {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else { return nil }
        let isMounted = MountTable.isMountPoint(path)
        if folder.isMountPoint, !isMounted { return nil }
        if isMounted, !folder.isMountPoint {
            folder.isMountPoint = true
            isChanged = true
        }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Indicates whether other machines may change the folder without events from inotify.
    var isRemote: Bool {
        let type = path.withCString { UInt32(truncatingIfNeeded: cphotos_file_system_type($0)) }
        return Self.remoteTypes.contains(type)
    }

    /// The magic numbers of remote file systems: NFS, SMB (three), 9P, AFS (two), Ceph, FUSE, Coda,
    /// OCFS2, GFS2.
    private static let remoteTypes: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x6B41_4653,
        0x00C3_6400, 0x6573_5546, 0x7375_7245, 0x7461_636F, 0x0116_1970,
    ]
}
