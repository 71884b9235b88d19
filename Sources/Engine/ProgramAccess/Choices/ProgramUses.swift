package import Foundation
internal import Glibc
internal import PhotoModel

/// When each program last used a photo library as it was permitted to.
///
/// A file without bytes per program, whose time it is: beside the folder of the choices, which is
/// watched, so that a use wakes nobody. Written at most once a day for each program, without waiting
/// for the disk; what cannot be written is not noted.
package struct ProgramUses: Sendable {
    /// How old a note has to be to be renewed, in seconds.
    package static let interval: Double = 86_400

    private let folder: String

    init(folder: String) { self.folder = folder }

    /// Notes that a program used a library.
    package func record(_ identifier: String, at time: Date = Date()) {
        let path = file(of: identifier)
        if let last = last(of: identifier), last <= time,
            time.timeIntervalSince(last) < Self.interval
        {
            return
        }
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { return }
        let seconds = time.timeIntervalSince1970.rounded(.down)
        let moment = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        _ = futimens(number, [moment, moment])
        close(number)
    }

    /// When a program last used a library, to a day; nil when it never did.
    package func last(of identifier: String) -> Date? {
        var status = stat()
        guard fstatat(AT_FDCWD, file(of: identifier), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }

    /// Its name says whose it is, and is never a path; of long ones it has the end, which tells more, and
    /// a number for the whole.
    private func file(of identifier: String) -> String {
        let escaped = identifier.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard escaped.utf8.count > 200 else { return folder + "/of-" + escaped }
        let end = String(decoding: escaped.utf8.suffix(150), as: UTF8.self)
        return folder + "/" + identifier.stableHash + "…" + end
    }
}

extension AccessStore {
    /// When programs used libraries.
    package var uses: ProgramUses { ProgramUses(folder: folder + "-uses") }
}

extension ClientProgram {
    /// Notes that the program uses a library, if it may.
    package func recordUse() {
        guard override == nil, let choice = try? choice(),
            choice.readWrite == .authorized || choice.readWrite == .limited
                || choice.addOnly == .authorized
        else { return }
        store.uses.record(identity.identifier)
    }
}
