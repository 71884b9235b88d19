internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions

/// Detects the media type of a file before it is added.
enum MediumOfFile {
    /// Returns whether a file's content has the given media type: image or movie.
    ///
    /// Only the worker process reads the content, never this process. If the worker is unavailable,
    /// the file name extension decides, and the change later fails with the reason.
    static func isMedium(_ kind: MediaType, at url: URL, _ connection: LibraryConnection) -> Bool {
        guard url.isFileURL, let file = try? NewFile.open(url) else { return false }
        do throws(LibraryError) {
            let request = IdentifyRequest(filename: url.lastPathComponent)
            return try connection.service().identify(request, file: file).mediaType == kind
        } catch {
            connection.reportUnlessUnavailable(error)
            let wanted: UTType = kind == .video ? .movie : .image
            return UTType(filenameExtension: url.pathExtension, conformingTo: wanted) != nil
        }
    }
}
