import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary

/// Attempts to change the library by the files that the daemon hands out.
///
/// Prints `file NAME` for each file, `failed ATTEMPT ERRNO` or `succeeded ATTEMPT` for each try,
/// and `end`.
struct Attack {
    let library: RemoteLibrary
    /// The place of the library, which the program should not be able to reach.
    let path: String
    let asset: String

    func run() throws {
        let list = ResourceListRequest(assetUUID: asset)
        for resource in try library.listResources(list).resources {
            let request = ResourceOpenRequest(resourceUUID: resource.uuid)
            attack(try library.openResource(request).1, "resource-\(resource.type.rawValue)")
        }
        let image = ImageDataRequest(assetUUID: asset, version: .current)
        attack(try library.imageData(image).1, "image-data")
        attempt("library", open(path, O_RDONLY | O_DIRECTORY))
        attempt("database", open(path + "/database/library.sqlite", O_RDWR))
        print("end")
    }

    private func attack(_ file: Descriptor, _ name: String) {
        print("file", name)
        let number = file.number
        let link = "/proc/self/fd/\(number)"
        // What a copy lets the program change is its own.
        let isOwn = fcntl(number, 1034) >= 0
        if isOwn { print("copy", name) }
        attempt("\(name) write", Int32(pwrite(number, "x", 1, 0)))
        attempt("\(name) truncate", ftruncate(number, 0))
        attempt("\(name) allocate", -abs(posix_fallocate(number, 0, 1 << 20)))
        attempt("\(name) reopen", open(link, O_RDWR))
        attempt("\(name) reopen to write", open(link, O_WRONLY))
        attempt("\(name) reopen to truncate", open(link, O_RDONLY | O_TRUNC))
        attempt("\(name) truncate by name", truncate(link, 0))
        attempt("\(name) mode", fchmod(number, 0o666))
        attempt("\(name) mode by name", chmod(link, 0o666))
        attempt("\(name) owner", fchown(number, getuid(), getgid()))
        attempt("\(name) times", futimens(number, nil))
        attempt("\(name) link", linkat(AT_FDCWD, link, AT_FDCWD, "/tmp/link", AT_SYMLINK_FOLLOW))
        attempt("\(name) folder", openat(number, "..", O_RDONLY | O_DIRECTORY))
        let place = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? ""
        attempt("\(name) place", place.contains(path) ? 0 : -1)
    }

    private func attempt(_ name: String, _ result: Int32) {
        if result >= 0 { print("succeeded", name) } else { print("failed", name, errno) }
    }
}
