internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Watches folders with inotify.
struct FolderEvents {
    /// An event in a watched folder.
    enum Event {
        /// A file was created, renamed into place, written or changed.
        case file([UInt8], isInPlace: Bool)
        /// A folder was created or renamed into place.
        case folder([UInt8])
        /// A file or folder is no longer at a path.
        case gone([UInt8], isFolder: Bool)
        /// The watch of a folder ended, since the folder was deleted or its volume unmounted.
        ///
        /// Another folder may be watched at the path by now: a folder that replaces an empty one is
        /// reported first.
        case unwatched([UInt8])
        /// Events were lost, possibly of every folder.
        case overflow
    }

    private static let mask =
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_ONLYDIR
        | IN_EXCL_UNLINK

    private let descriptor: Descriptor
    private var paths: [Int32: [UInt8]] = [:]

    /// Indicates whether any folder is not watched because a system limit was reached.
    private(set) var isIncomplete = false

    /// Creates an instance that watches no folders; nil if the system provides no more inotify
    /// instances.
    init?() {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
    }

    /// The descriptor that becomes readable when events have arrived.
    var number: Int32 { descriptor.number }

    /// Watches an open folder.
    mutating func watch(_ folder: Descriptor, path: [UInt8]) {
        let watch = inotify_add_watch(
            descriptor.number,
            "/proc/self/fd/\(folder.number)",
            UInt32(Self.mask)
        )
        guard watch >= 0 else {
            if errno == ENOSPC || errno == ENOMEM { isIncomplete = true }
            return
        }
        paths[watch] = path
    }

    /// Stops watching a folder and all folders below it.
    mutating func forget(_ path: [UInt8]) {
        let prefix = path + [UInt8(ascii: "/")]
        for (watch, known) in paths where known == path || known.starts(with: prefix) {
            inotify_rm_watch(descriptor.number, watch)
            paths[watch] = nil
        }
    }

    /// Returns whether a folder is watched.
    func isWatching(_ path: [UInt8]) -> Bool { paths.values.contains(path) }

    /// Resets `isIncomplete`, before folders are watched again.
    mutating func beginAgain() { isIncomplete = false }

    /// Reads the events that have arrived.
    mutating func read() -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return events }
            var offset = 0
            let size = MemoryLayout<inotify_event>.size
            while offset + size <= count {
                let header = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                }
                let name = buffer[(offset + size)...].prefix(Int(header.len)).prefix { $0 != 0 }
                offset += size + Int(header.len)
                if let event = event(header, Array(name)) { events.append(event) }
            }
        }
    }

    private mutating func event(_ header: inotify_event, _ name: [UInt8]) -> Event? {
        let mask = Int(header.mask)
        if mask & Int(IN_Q_OVERFLOW) != 0 { return .overflow }
        guard let folder = paths[header.wd] else { return nil }
        if mask & Int(IN_IGNORED) != 0 {
            paths[header.wd] = nil
            return .unwatched(folder)
        }
        if name.isEmpty { return nil }
        let path = folder + [UInt8(ascii: "/")] + name
        let isFolder = mask & Int(IN_ISDIR) != 0
        if mask & Int(IN_MOVED_FROM | IN_DELETE) != 0 {
            return .gone(path, isFolder: isFolder)
        }
        if isFolder {
            return mask & Int(IN_CREATE | IN_MOVED_TO) != 0 ? .folder(path) : nil
        }
        return .file(path, isInPlace: mask & Int(IN_MOVED_TO) != 0)
    }
}
