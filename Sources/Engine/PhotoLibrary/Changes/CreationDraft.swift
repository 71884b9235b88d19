internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Validates the files of a creation request and derives the asset from them.
///
/// Has no side effects and uses only the facts found in the files. `ResourceCombination` has
/// already checked which types go together.
struct CreationDraft {
    /// A staged file and the facts found in it.
    struct Part: Sendable {
        var creation: ResourceCreation
        var file: StagedFile
        /// The facts found in the file; nil for adjustment data, which only its editor can
        /// interpret.
        var facts: MediaFacts?
        /// The record that the file would have as a separate asset.
        var record: AssetRecord?
        var rendition: PixelMemory?
    }

    let uuid: String
    let parts: [ResourceType: Part]
    /// The resource types in the order of the request.
    private let types: [ResourceType]

    init(uuid: String, parts: [Part]) {
        self.uuid = uuid
        types = parts.map(\.creation.type)
        self.parts = Dictionary(parts.map { ($0.creation.type, $0) }) { first, _ in first }
    }

    /// Validates the files and returns the creation to commit.
    ///
    /// - Throws: `invalidResource` if a file's content contradicts its resource type,
    ///   `invalidRequest` if the halves of a Live Photo do not belong together.
    func staged(edit: AssetEdit) throws(LibraryError) -> StagedCreation {
        for type in types { try check(type) }
        try checkAlternate()
        try checkLivePhoto()
        guard let primary = ResourceCombination.primaryTypes.first(where: types.contains),
            let part = parts[primary], var record = part.record
        else {
            throw LibraryError(.internalError, "A new asset has no file.")
        }
        record.uuid = uuid
        record.originalFilename = name(of: primary)
        if let movie = parts[.pairedVideo]?.record { JoiningPolicy.add(movie: movie, to: &record) }
        let current = parts[.fullSizePhoto] ?? parts[.fullSizeVideo]
        if let edited = current?.record {
            EditPolicy.apply(
                edited,
                hasPairedVideo: parts[.fullSizePairedVideo] != nil,
                to: &record
            )
            record.adjustmentFormatIdentifier = parts[.adjustmentData]?.facts?.adjustmentFormat
        }
        return StagedCreation(
            record: record,
            edit: edit,
            resources: types.compactMap(resource),
            rendition: (current ?? part).rendition
        )
    }

    private func resource(_ type: ResourceType) -> StagedCreation.Resource? {
        guard let part = parts[type] else { return nil }
        return StagedCreation.Resource(
            type: type,
            originalFilename: name(of: type),
            contentType: part.facts?.contentType ?? part.creation.contentType ?? "public.data",
            pathExtension: pathExtension(of: part),
            pixelSize: part.record?.pixelSize ?? PixelSize(width: 0, height: 0),
            file: part.file
        )
    }

    // MARK: - Names

    /// Returns the name given by the client, else the file's name, else a generated one (behavior
    /// 137).
    ///
    /// Files without a name take the primary file's name with their own extension (pains 4).
    private func name(of type: ResourceType) -> String {
        guard let part = parts[type] else { return "" }
        if let name = Self.given(part.creation) { return name }
        let primary = ResourceCombination.primaryTypes.first(where: types.contains)
        let named = primary.flatMap { parts[$0] }.flatMap { Self.given($0.creation) }
        let stem =
            named.map { ($0 as NSString).deletingPathExtension } ?? Self.generatedStem(of: uuid)
        return stem + "." + pathExtension(of: part).uppercased()
    }

    private static func given(_ creation: ResourceCreation) -> String? {
        [creation.originalFilename, creation.path].lazy.compactMap(\.self)
            .map { ($0 as NSString).lastPathComponent }
            .first { !$0.isEmpty && $0 != "/" && $0 != "." && $0 != ".." }
    }

    /// Returns `IMG_` and four digits that are derived from the identifier.
    private static func generatedStem(of uuid: String) -> String {
        let number = (UInt32(uuid.prefix(8), radix: 16) ?? 0) % 10_000
        let digits = String(number)
        return "IMG_" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private func pathExtension(of part: Part) -> String {
        guard let facts = part.facts else {
            return part.creation.contentType == "com.apple.property-list" ? "plist" : "data"
        }
        let given = Self.given(part.creation).map { ($0 as NSString).pathExtension } ?? ""
        return FileExtension.of(facts, original: given.lowercased())
    }

    // MARK: - Checks

    private func check(_ type: ResourceType) throws(LibraryError) {
        guard let part = parts[type], let facts = part.facts, let record = part.record else {
            return
        }
        switch type {
        case .photo, .photoProxy, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto:
            guard record.mediaType == .image, !facts.format.isSidecar else {
                throw contradiction(part, facts, needs: "a photo")
            }
            // RAW files that the library cannot decode yet are kept, as in import.
            guard facts.hasReadableHeader || facts.format == .raw else {
                throw Self.invalid(
                    part.creation,
                    "is a damaged photo",
                    reason: facts.warnings.first.map { "Its image cannot be read: \($0)." }
                        ?? "Its image cannot be read."
                )
            }
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
            .adjustmentBasePairedVideo:
            guard record.mediaType == .video else {
                throw contradiction(part, facts, needs: "a video")
            }
        case .audio:
            guard record.mediaType == .audio else {
                throw contradiction(part, facts, needs: "an audio file")
            }
        case .adjustmentData:
            guard facts.format.isSidecar else {
                throw contradiction(part, facts, needs: "adjustment data")
            }
        case .sidecar: break
        }
    }

    /// Throws an error unless exactly one of a photo and its alternate is RAW (behavior 140).
    private func checkAlternate() throws(LibraryError) {
        guard let alternate = parts[.alternatePhoto], let photo = parts[.photo],
            (alternate.facts?.format == .raw) == (photo.facts?.format == .raw)
        else { return }
        throw Self.invalid(
            alternate.creation,
            "is not an alternate of its photo",
            reason: "One of the two must be RAW and the other processed, but these are"
                + " \(photo.facts?.contentType ?? "unknown") and"
                + " \(alternate.facts?.contentType ?? "unknown")."
        )
    }

    /// Throws an error unless both files of a Live Photo have the same content identifier (behavior
    /// 139).
    private func checkLivePhoto() throws(LibraryError) {
        guard let movie = parts[.pairedVideo], let photo = parts[.photo] else { return }
        let identifiers = (
            photo.facts?.contentIdentifier ?? "", movie.facts?.contentIdentifier ?? ""
        )
        if !identifiers.0.isEmpty, identifiers.0 == identifiers.1 { return }
        let reason =
            switch (identifiers.0.isEmpty, identifiers.1.isEmpty) {
            case (true, true): "Neither the photo nor the video has a content identifier."
            case (true, false): "The photo has no content identifier."
            case (false, true): "The video has no content identifier."
            case (false, false):
                "The photo's content identifier is \(identifiers.0), that of the video"
                    + " is \(identifiers.1)."
            }
        throw LibraryError(
            .invalidRequest,
            "\(Self.words(for: photo.creation)) and \(Self.words(for: movie.creation)) are not"
                + " the parts of one Live Photo.",
            reason: reason,
            recovery: "Pass the two files that the camera wrote together, or omit the video.",
            path: movie.creation.path,
            identifiers: [uuid + ObjectKind.asset.identifierSuffix]
        )
    }

    private func contradiction(_ part: Part, _ facts: MediaFacts, needs wanted: String)
        -> LibraryError
    {
        Self.invalid(
            part.creation,
            "is not \(wanted)",
            reason: "It was added as \(part.creation.type), but its content is"
                + " \(facts.contentType)."
        )
    }

    // MARK: - Words

    /// Returns the error for an invalid file.
    static func invalid(_ creation: some ResourceNaming, _ what: String, reason: String)
        -> LibraryError
    {
        LibraryError(
            .invalidResource,
            "\(words(for: creation)) \(what).",
            reason: reason,
            recovery: "Check the file, and add it with the type of its content.",
            path: creation.path
        )
    }

    /// Returns the phrase that names a file in a message.
    static func words(for creation: some ResourceNaming) -> String {
        if let path = creation.path { return "The file \(path)" }
        if let name = creation.originalFilename { return "The file \(name)" }
        return "The file of the type \(creation.type)"
    }
}
