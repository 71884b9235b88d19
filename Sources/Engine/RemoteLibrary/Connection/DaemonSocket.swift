internal import Foundation
internal import Glibc

/// The socket at which the user's daemon listens.
package enum DaemonSocket {
    /// Returns the path of this user's daemon socket; nil if the user has no runtime directory.
    ///
    /// It is `photolibraryd/socket` in `$XDG_RUNTIME_DIR`, otherwise in the folder that systemd
    /// makes for each user. The folder of its own allows a sandbox to be given exactly this socket.
    ///
    /// - Parameter environment: The environment of the process.
    /// - Returns: The path, which need not exist.
    package static func standardPath(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        var folder = environment["XDG_RUNTIME_DIR"] ?? ""
        if !folder.hasPrefix("/") {
            folder = "/run/user/\(geteuid())"
            guard access(folder, F_OK) == 0 else { return nil }
        }
        return folder + "/photolibraryd/socket"
    }
}
