internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions

/// Tells what a file is before it is added.
enum MediumOfFile {
    /// Whether a file is, as far as its name says, an image or a movie; where the name says something
    /// else, its bytes are asked.
    ///
    /// Bytes are looked at in the worker only, never in this process.
    static func isMedium(_ kind: MediaType, at url: URL, _ connection: LibraryConnection) -> Bool {
        guard url.isFileURL, let file = try? NewFile.open(url) else { return false }
        let wanted: UTType = kind == .video ? .movie : .image
        if UTType(filenameExtension: url.pathExtension, conformingTo: wanted) != nil { return true }
        do throws(LibraryError) {
            let request = IdentifyRequest(filename: url.lastPathComponent)
            return try connection.service().identify(request, file: file).mediaType == kind
        } catch {
            connection.reportUnlessUnavailable(error)
            return false
        }
    }
}
