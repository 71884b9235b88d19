internal import EmbeddedLibrary
package import Logging
internal import PhotoModel
package import ProgramAccess

// The only place where the public modules use the engine directly; all else uses `LibraryService`.
extension LibraryConnection {
    /// Creates a connection to a library in this process, with the permissions of a program.
    ///
    /// - Parameters:
    ///   - path: The library's folder, or nil for the default one, which is looked up on opening.
    ///   - logger: Receives errors that a fetch cannot throw.
    ///   - program: The program that accesses the library.
    package convenience init(
        embeddedAt path: String?,
        logger: Logger,
        program: ClientProgram = .current
    ) {
        let permission = LibraryPermission(program, logger: logger) { () throws(LibraryError) in
            try EmbeddedLibrary.open(at: path ?? EmbeddedLibrary.defaultPath)
        }
        self.init(logger: logger, permission: permission) { () throws(LibraryError) in
            try EmbeddedLibrary.open(at: path ?? EmbeddedLibrary.defaultPath, for: program)
        }
    }
}
