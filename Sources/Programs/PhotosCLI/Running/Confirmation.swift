import Foundation
import Glibc
import Photos
import PhotosManagement

/// Asks for confirmation on the terminal.
///
/// The question goes to the controlling terminal and not to standard input, so that `photos list
/// --json | … | xargs photos delete` can be confirmed.
enum Confirmation {
    /// Requires confirmation before assets of a library are deleted.
    ///
    /// Without a terminal, deletion is allowed without confirmation.
    static func beforeDeleting(from library: PhotoLibraryBundle) {
        library.photoLibrary.deletionConfirmation = isPossible ? .terminal : .allowed
    }

    /// `true` if the user can be asked: standard error is a terminal and the command runs in the
    /// foreground.
    static var isPossible: Bool {
        guard StandardError.isTerminal else { return false }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// The error when confirmation is required and the user cannot be asked.
    static var nobodyToAsk: PHPhotosError {
        PHPhotosError(
            .userCancelled,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "There is no terminal to ask for confirmation. Nothing was changed.",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Run the command on a terminal, or give --yes if you are sure.",
            ]
        )
    }
}
