internal import DaemonCore
internal import Foundation
internal import Glibc

/// The executable file of this process, for detecting that another file has replaced it.
struct RunningExecutable: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Records this process's executable; returns nil if it cannot be determined.
    init?() {
        guard
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return nil }
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return nil }
        self.path = path
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// The magic number at the start of Linux executables (ELF).
    private static let magic = Data([0x7F, 0x45, 0x4C, 0x46])

    /// Indicates whether the executable's path now refers to another executable file.
    var isReplaced: Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            access(path, X_OK) == 0
        else { return false }
        guard status.st_dev != device || status.st_ino != inode else { return false }
        let file = FileHandle(forReadingAtPath: path)
        return (try? file?.read(upToCount: Self.magic.count)) == Self.magic
    }

    /// Replaces the program of this process with the new executable at the same path, with the same
    /// arguments.
    ///
    /// Returns only if that fails.
    ///
    /// - Parameter socket: The listening socket that the new program takes over.
    /// - Returns: The reason of the failure.
    func succeed(with socket: ListeningSocket) -> String {
        guard let variables = Activation.succession(of: socket) else {
            return "The process has too many open files."
        }
        for (name, value) in variables { setenv(name, value, 1) }
        let words = CommandLine.arguments.map { strdup($0) } + [nil]
        // Blocked signals stay blocked in the new program.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        execv(path, words)
        let reason = String(cString: strerror(errno))
        for word in words { free(word) }
        return "\(path): \(reason)."
    }
}
