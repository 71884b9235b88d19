import Foundation
import Glibc
import Photos
import PhotosManagement

/// Asks the person at the terminal, when there is one.
///
/// The question goes to the terminal that the command runs on, not to its standard input, so that
/// `photos list --json | … | xargs photos delete` can be answered.
enum Confirmation {
    /// Lets the person be asked before assets of a library are deleted.
    ///
    /// Where nobody is, nobody is asked.
    static func beforeDeleting(from library: PhotoLibraryBundle) {
        library.photoLibrary.deletionConfirmation = isPossible ? .terminal : .allowed
    }

    /// Whether there is somebody: who sees standard error, and for whom this does not run in the
    /// background.
    static var isPossible: Bool {
        guard StandardError.isTerminal else { return false }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// The error for a question that has to be answered, and cannot be asked.
    static var nobodyToAsk: PHPhotosError {
        PHPhotosError(
            .userCancelled,
            userInfo: [
                NSLocalizedDescriptionKey: "Nobody can be asked: nothing was changed.",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Run it on a terminal, or give --yes when you are sure.",
            ]
        )
    }
}
