package import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The record of when each program last used its access to a photo library.
///
/// It also states whether the access was enforced. Each program has a file whose modification time
/// is the time of use. The file is empty, or contains `enforced`. The files are outside of the
/// watched folder of choices, so that a use does not wake observers. A file is written at most once
/// a day, or when its content changes. Writes are not synced, and write errors are ignored.
package struct ProgramUses: Sendable {
    /// The number of seconds after which a program's record is updated with a new time of use.
    package static let interval: Double = 86_400

    /// The content of a program's file if the daemon enforced the program's permission in a way
    /// that the program could not bypass.
    private static let mark = "enforced\n"

    private let folder: String

    init(folder: String) { self.folder = folder }

    /// Records that a program used a library.
    ///
    /// - Parameters:
    ///   - identifier: The program.
    ///   - time: The time of the use.
    ///   - isEnforced: Whether the daemon prevented all access that the program was not granted.
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

    /// Returns the time of a program's last use of a library, accurate to a day; nil if it never
    /// used one.
    package func last(of identifier: String) -> Date? {
        var status = stat()
        guard fstatat(AT_FDCWD, file(of: identifier), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }

    /// Indicates whether, at a program's last recorded use of a library, the daemon prevented all
    /// access that the program was not granted.
    package func wasEnforced(for identifier: String) -> Bool {
        let content = FileManager.default.contents(atPath: file(of: identifier)) ?? Data()
        return content == Data(Self.mark.utf8)
    }

    /// Returns the path of the file that records a program's last use.
    ///
    /// The file name is the identifier with slashes escaped. For a long identifier, it is a hash of
    /// the whole identifier and the identifier's end, which is its more distinctive part.
    private func file(of identifier: String) -> String {
        let escaped = identifier.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard escaped.utf8.count > 200 else { return folder + "/of-" + escaped }
        let end = String(decoding: escaped.utf8.suffix(150), as: UTF8.self)
        return folder + "/" + identifier.stableHash + "…" + end
    }
}

extension AccessStore {
    /// The record of when programs last used libraries.
    package var uses: ProgramUses { ProgramUses(folder: folder + "-uses") }
}

extension ClientProgram {
    /// Records that the program uses a library, if the program has permission to use it.
    ///
    /// - Parameter isEnforced: Whether the program cannot circumvent its permission.
    package func recordUse(isEnforced: Bool = false) {
        guard override == nil, let choice = try? choice(),
            choice.readWrite == .authorized || choice.readWrite == .limited
                || choice.addOnly == .authorized
        else { return }
        store.uses.record(identity.identifier, isEnforced: isEnforced)
    }
}
