package import Foundation
internal import Glibc

/// A folder that is shown through FUSE as programs show cameras and phones: slowly, without inode
/// numbers, and until it vanishes.
///
/// The file system is written in Python with fusepy.
package final class DeviceMount {
    /// The faults of a mount.
    package struct Faults: Sendable, CustomStringConvertible {
        /// The inode numbers: `zero`, `same` for all files, or `changing` with each call.
        package var inodes: String
        /// Whether times are missing, which then are 0.
        package var hasNoTimes: Bool
        /// The sizes: `right`, `zero` until a file is opened, `small` for a size with missing
        /// bytes, or `large` for one that is too large.
        package var sizes: String
        /// The time of each read in seconds.
        package var delay: Double
        /// The number of reads after which every call fails with `error`.
        package var reads: Int
        package var error: Int32
        /// The type of the mount, which is the name of a program.
        package var type: String

        /// Creates faults; without arguments, those that the types of most mounts have.
        package init(
            inodes: String = "changing",
            hasNoTimes: Bool = false,
            sizes: String = "right",
            delay: Double = 0,
            reads: Int = Int(Int32.max),
            error: Int32 = EIO,
            type: String = "jmtpfs"
        ) {
            self.inodes = inodes
            self.hasNoTimes = hasNoTimes
            self.sizes = sizes
            self.delay = delay
            self.reads = reads
            self.error = error
            self.type = type
        }

        package var description: String { "\(type): \(inodes) \(hasNoTimes) \(sizes) \(error)" }
    }

    /// Whether this system lets this process mount file systems of its own.
    package static let isUsable: Bool = {
        guard let folder = try? TemporaryFolder("photos-fuse"),
            let source = try? folder.folder("source"), let mount = try? folder.folder("mount"),
            let device = try? DeviceMount(of: source, at: mount, log: folder.file("log"))
        else { return false }
        return withExtendedLifetime(device) { true }
    }()

    /// A failure to mount, with what the program printed.
    package struct Failure: Error { package let text: String }

    private let process: RunningProcess
    private let folder: URL
    private var isMounted = true

    /// Mounts `source` at `folder`; attempts to change anything are appended to `log`.
    package init(of source: URL, at folder: URL, log: URL, _ faults: Faults = Faults()) throws {
        let options: [String: Any] = [
            "inodes": faults.inodes, "no-times": faults.hasNoTimes, "sizes": faults.sizes,
            "delay": faults.delay, "reads": faults.reads, "error": Int(faults.error),
            "type": faults.type, "log": log.path,
        ]
        let text = try JSONSerialization.data(withJSONObject: options)
        self.folder = folder
        let before = Self.device(folder)
        // The interpreter of Debian's packages, not one that may precede it in $PATH.
        process = try ProcessRunner.start(
            "/usr/bin/python3",
            ["-c", Self.program, source.path, folder.path, String(decoding: text, as: UTF8.self)]
        )
        let isReady: Bool? = process.output { $0.isEmpty ? nil : true }
        guard isReady == true || process.isRunning else {
            throw Failure(text: process.wait().errorText)
        }
        guard Self.device(folder) != before else {
            unmount()
            throw Failure(text: "The mount did not appear.")
        }
    }

    deinit { unmount() }

    /// Ends the mount.
    package func unmount() {
        guard isMounted else { return }
        isMounted = false
        for (program, arguments) in [
            ("fusermount3", ["-uz", folder.path]), ("fusermount", ["-uz", folder.path]),
            ("umount", ["-l", folder.path]),
        ] {
            let output = try? ProcessRunner.run(program, arguments)
            if output?.status == 0 { break }
        }
        process.kill()
        _ = process.wait()
    }

    private static func device(_ url: URL) -> UInt64? {
        var status = stat()
        return stat(url.path, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    private static let program = #"""
        import errno, itertools, json, os, stat, sys, time
        try:
            from fusepy import FUSE, FuseOSError, Operations
        except ImportError:
            from fuse import FUSE, FuseOSError, Operations

        source, mount, options = os.fsencode(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
        numbers = itertools.count(1)
        reads = itertools.count(1)
        changes = ("unlink", "rename", "rmdir", "truncate", "write", "create", "mkdir", "chmod",
                   "utimens", "setxattr", "symlink", "link", "mknod")
        gone = 0
        opened = set()

        class Device(Operations):
            def __call__(self, name, path, *arguments):
                if name in changes:
                    with open(options["log"], "a") as log:
                        log.write(name + "\n")
                    raise FuseOSError(errno.EPERM)
                if gone and name not in ("init", "destroy"):
                    raise FuseOSError(gone)
                return super().__call__(name, path, *arguments)

            def init(self, path):
                print("mounted", flush=True)

            def place(self, path):
                return source + path.encode("latin-1")

            def getattr(self, path, handle=None):
                try:
                    found = os.lstat(self.place(path))
                except OSError as error:
                    raise FuseOSError(error.errno)
                inode = {"zero": 0, "same": 7}.get(options["inodes"], next(numbers))
                size = found.st_size
                if stat.S_ISREG(found.st_mode):
                    if options["sizes"] == "zero" and path not in opened:
                        size = 0
                    size += {"small": -100, "large": 100}.get(options["sizes"], 0)
                when = 0 if options["no-times"] else int(found.st_mtime)
                return dict(st_mode=found.st_mode, st_ino=inode, st_nlink=1, st_size=size,
                            st_mtime=when, st_ctime=when, st_atime=when,
                            st_uid=os.getuid(), st_gid=os.getgid())

            def readdir(self, path, handle):
                names = os.listdir(self.place(path))
                return [".", ".."] + [name.decode("latin-1") for name in names]

            def open(self, path, flags):
                if flags & (os.O_NOATIME | os.O_WRONLY | os.O_RDWR):
                    raise FuseOSError(errno.EPERM)
                opened.add(path)
                return 0

            def read(self, path, size, offset, handle):
                global gone
                time.sleep(options["delay"])
                if next(reads) > options["reads"]:
                    gone = options["error"]
                    raise FuseOSError(gone)
                with open(self.place(path), "rb") as file:
                    file.seek(offset)
                    return file.read(size)

        FUSE(Device(), mount, foreground=True, nothreads=True, encoding="latin-1", use_ino=True,
             direct_io=options["sizes"] != "right", attr_timeout=0, entry_timeout=0,
             subtype=options["type"])
        """#
}
