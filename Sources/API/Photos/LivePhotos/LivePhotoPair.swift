internal import Foundation
internal import PhotoModel
internal import PhotosCompanions

/// Two files that are a Live Photo.
struct LivePhotoPair {
    let still: ForeignFile
    let movie: ForeignFile

    /// Looks into both files.
    ///
    /// - Parameters:
    ///   - urls: The still and the movie, in any order.
    ///   - isKnownPair: Whether somebody paired them before: a library may do so without identifiers.
    /// - Throws: Why they are none.
    init(_ urls: [URL], isKnownPair: Bool = false) throws(LibraryError) {
        var files: [ForeignFile] = []
        for url in urls { files.append(try ForeignFile(url)) }
        guard let still = files.first(where: { !$0.isMovie }),
            let movie = files.first(where: \.isMovie), files.count == 2
        else {
            throw LibraryError(
                .invalidRequest,
                "A Live Photo is made of two files: a still and a movie.",
                reason: "These are "
                    + (files.isEmpty
                        ? "none"
                        : files.map {
                            "“\($0.url.lastPathComponent)” (a \($0.isMovie ? "movie" : "still"))"
                        }
                        .joined(separator: ", ")) + ".",
                recovery: "Give the URLs of both halves, as PHAssetResource names them: photo and "
                    + "pairedVideo."
            )
        }
        let isPair =
            still.contentIdentifier != nil && still.contentIdentifier == movie.contentIdentifier
        guard isPair || isKnownPair else {
            let says = { (file: ForeignFile) in
                "“\(file.url.lastPathComponent)” says "
                    + (file.contentIdentifier.map { "“\($0)”" } ?? "none")
            }
            throw LibraryError(
                .invalidResource,
                "The files are no Live Photo: they have no content identifier in common.",
                reason: "\(says(still)), \(says(movie)).",
                recovery: "Take both files from one Live Photo, unchanged."
            )
        }
        self.still = still
        self.movie = movie
    }

    /// The files as resources of no library.
    var resources: [PHAssetResource] { resources(in: nil) }

    /// The files as resources of no library, in a folder that lives as long as those where one is given.
    func resources(in folder: RenderedFolder?) -> [PHAssetResource] {
        [(still, ResourceType.photo), (movie, .pairedVideo)].map { file, type in
            let record = ResourceRecord(
                id: 0,
                uuid: UUID().uuidString,
                assetID: 0,
                assetUUID: "",
                type: type,
                originalFilename: file.url.lastPathComponent,
                contentType: file.contentType,
                path: file.url.path,
                size: file.size,
                sha256: "",
                pixelSize: file.pixelSize
            )
            return PHAssetResource(record: record, file: file.url, in: folder)
        }
    }
}
