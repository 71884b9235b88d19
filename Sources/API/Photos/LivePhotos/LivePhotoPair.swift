internal import Foundation
internal import PhotoModel
internal import PhotosCompanions

/// The still image file and the movie file of a Live Photo.
struct LivePhotoPair {
    let still: ForeignFile
    let movie: ForeignFile

    /// Opens and validates both files.
    ///
    /// - Parameters:
    ///   - urls: The still image and the movie, in any order.
    ///   - isKnownPair: Whether the files were already paired, which a library may do without
    ///     content identifiers.
    /// - Throws: The reason that the files are not a Live Photo.
    init(_ urls: [URL], isKnownPair: Bool = false) throws(LibraryError) {
        var files: [ForeignFile] = []
        for url in urls { files.append(try ForeignFile(url)) }
        guard let still = files.first(where: { !$0.isMovie }),
            let movie = files.first(where: \.isMovie), files.count == 2
        else {
            throw LibraryError(
                .invalidRequest,
                "A Live Photo consists of two files: a still and a movie.",
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
                "The files are not a Live Photo: they have no common content identifier.",
                reason: "\(says(still)), \(says(movie)).",
                recovery: "Use the two unchanged files of one Live Photo."
            )
        }
        self.still = still
        self.movie = movie
    }

    /// The files as resources that belong to no library.
    var resources: [PHAssetResource] { resources(in: nil) }

    /// Returns the files as resources that belong to no library.
    ///
    /// The resources retain the temporary folder of the files, if one is given.
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
