internal import EmbeddedLibrary
package import Logging
internal import PhotoModel

// The one place where the public modules meet the engine; all else goes through `LibraryService`.
extension LibraryConnection {
    /// A connection to a library in this process.
    ///
    /// - Parameters:
    ///   - path: The library's folder; nil for the default one, which is looked up when it is opened.
    ///   - logger: Hears of what a fetch cannot throw.
    package convenience init(embeddedAt path: String?, logger: Logger) {
        self.init(logger: logger) { () throws(LibraryError) in
            try EmbeddedLibrary.open(at: path ?? EmbeddedLibrary.defaultPath)
        }
    }
}
