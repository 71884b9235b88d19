package import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The time at which each program last used its access to a photo library, and whether the access
/// was enforced.
///
/// Each program has a file whose modification time is the time of use. It is empty, or contains
/// `enforced`. These files are
/// outside of the watched folder of choices, so that a use does not wake observers. Each is written
/// at most once a day, or when its content changes, without waiting for the disk; write errors are
/// ignored.
package struct ProgramUses: Sendable {
    /// The minimum age of a record before it is renewed, in seconds.
    package static let interval: Double = 86_400

    /// The content of the file of a program whose access was enforced.
    private static let mark = "enforced\n"

    private let folder: String

    init(folder: String) { self.folder = folder }

    /// Records that a program used a library.
    ///
    /// - Parameters:
    ///   - identifier: The program.
    ///   - time: The time of the use.
    ///   - isEnforced: Whether the daemon kept the program from everything that it was not granted.
    package func record(_ identifier: String, at time: Date = Date(), isEnforced: Bool = false) {
        let path = file(of: identifier)
        if let last = last(of: identifier), last <= time,
            time.timeIntervalSince(last) < Self.interval,
            wasEnforced(for: identifier) == isEnforced
        {
            return
        }
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { return }
        if isEnforced { _ = Self.mark.withCString { write(number, $0, strlen($0)) } }
        let seconds = time.timeIntervalSince1970.rounded(.down)
        let moment = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        _ = futimens(number, [moment, moment])
        close(number)
    }

    /// Returns the time of a program's last use, accurate to a day; nil when it never used a
    /// library.
    package func last(of identifier: String) -> Date? {
        var status = stat()
        guard fstatat(AT_FDCWD, file(of: identifier), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }

    /// Returns whether the access of a program was enforced at its last use.
    package func wasEnforced(for identifier: String) -> Bool {
        let content = FileManager.default.contents(atPath: file(of: identifier)) ?? Data()
        return content == Data(Self.mark.utf8)
    }

    /// Returns the path of a program's file.
    ///
    /// The name is the escaped identifier, which is never a path. A long identifier is represented
    /// by a hash of the whole and its end, the more distinctive part.
    private func file(of identifier: String) -> String {
        let escaped = identifier.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard escaped.utf8.count > 200 else { return folder + "/of-" + escaped }
        let end = String(decoding: escaped.utf8.suffix(150), as: UTF8.self)
        return folder + "/" + identifier.stableHash + "…" + end
    }
}

extension AccessStore {
    /// The record of when programs used libraries.
    package var uses: ProgramUses { ProgramUses(folder: folder + "-uses") }
}

extension ClientProgram {
    /// Records a use of a library by the program, if it has permission.
    ///
    /// - Parameter isEnforced: Whether the program cannot go around its permission.
    package func recordUse(isEnforced: Bool = false) {
        guard override == nil, let choice = try? choice(),
            choice.readWrite == .authorized || choice.readWrite == .limited
                || choice.addOnly == .authorized
        else { return }
        store.uses.record(identity.identifier, isEnforced: isEnforced)
    }
}
