internal import EmbeddedLibrary
package import Logging
internal import PhotoModel
package import ProgramAccess

// The one place where the public modules meet the engine; all else goes through `LibraryService`.
extension LibraryConnection {
    /// A connection to a library in this process, which may do what was permitted to a program.
    ///
    /// - Parameters:
    ///   - path: The library's folder; nil for the default one, which is looked up when it is opened.
    ///   - logger: Hears of what a fetch cannot throw.
    ///   - program: Who asks.
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
