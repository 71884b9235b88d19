internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions

/// Tells what a file is before it is added.
enum MediumOfFile {
    /// Whether a file is an image or a movie, by its content.
    ///
    /// Bytes are read in the worker only, never in this process. Where it cannot be had, the name
    /// decides; the change then fails with the reason.
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
