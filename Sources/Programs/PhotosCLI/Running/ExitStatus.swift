import ArgumentParser
import Foundation
import Glibc
import PhotosManagement

/// The exit statuses of the `photos` command.
enum ExitStatus {
    /// The command succeeded.
    static let done: Int32 = 0
    /// At least one operation failed.
    static let failed: Int32 = 1
    /// The command line is invalid.
    static let usage: Int32 = 2

    /// Closes the libraries and exits with a status.
    static func end(_ status: Int32) -> Never {
        OpenLibraries.close()
        Glibc.exit(status)
    }

    /// Prints an error's message and exits with its status.
    static func exit(with error: any Error) -> Never {
        if let closed = error as? OutputClosed { closed.exit() }
        try? StandardOutput.shared.flush()
        if let interruption = error as? Interrupted { interruption.exit() }
        if let tooLittle = error as? AddressSpace.TooLittle {
            StandardError.shared.say("photos: " + tooLittle.message)
            Glibc.exit(failed)
        }
        let code = PhotosCommand.exitCode(for: error)
        if code == .success {
            try? StandardOutput.shared.write(PhotosCommand.fullMessage(for: error) + "\n")
            try? StandardOutput.shared.flush()
            end(done)
        }
        if let code = error as? ExitCode { end(code.rawValue) }
        if code == .validationFailure {
            let message = PhotosCommand.fullMessage(for: error)
            let prefix = "Error: "
            let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
            StandardError.shared.say("photos: " + text)
            end(usage)
        }
        let failure = LibraryFailure(error)
        if failure.description != OpenLibraries.notice {
            StandardError.shared.say("photos: " + TerminalStyle.safe(failure.description))
        }
        end(status(of: failure))
    }

    /// Returns the exit status for an error.
    ///
    /// Mistakes in predicates and sort keys are usage errors, even if they are found late.
    private static func status(of failure: LibraryFailure) -> Int32 {
        switch failure.kind {
        case .malformedPredicate, .unsupportedPredicate, .unsupportedSortKey: usage
        default: failed
        }
    }
}
