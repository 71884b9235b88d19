internal import PhotoModel
package import WorkerProtocol

/// The parsed content of a line of an export's `library.jsonl`.
package enum ExportLine: Hashable, Sendable {
    case header(ForeignCounts, assets: Int)
    case asset(ForeignAsset)
    /// An album or a folder; `members` are the UUIDs of an album's assets, in order.
    case collection(ForeignCollection, members: [String])
    /// A line that cannot be read.
    case broken(ForeignProblem)
}

/// Parses the lines of an export's `library.jsonl`.
///
/// 1. Every byte is untrusted: the result has only valid values of limited length, or is a problem.
/// 2. Unknown keys are ignored. Unknown numbers of types are reported, and never passed on.
/// 3. An invalid value counts as absent, with a note.
package enum ExportLineParser {
    /// The maximum length of a line in bytes; lines of albums are the longest.
    package static let maximumLength = 64 << 20
    private static let maximumValues = 2_000_000
    /// The newest version of the export format that can be read.
    static let format: Int64 = 1
    /// The maximum number of files that an asset can have.
    static let maximumFiles = 64

    package static func parse(_ line: ByteView) -> ExportLine {
        guard line.count <= maximumLength else {
            return broken(nil, "It is longer than \(maximumLength >> 20) MB.")
        }
        guard let value = JSONParser.parse(line, length: maximumLength, values: maximumValues),
            case .object = value
        else { return broken(nil, "It is not a whole JSON object.") }
        switch value["kind"]?.text {
        case "library": return header(value)
        case "asset": return asset(value)
        case "album": return collection(value, .album)
        case "folder": return collection(value, .folder)
        case nil: return broken(nil, "It states no kind.")
        case let kind?:
            let text = String(kind.prefix(40))
            return broken(nil, "Its kind “\(text)” is unknown.", isAsset: false)
        }
    }

    private static func broken(_ item: String?, _ reason: String, isAsset: Bool = true)
        -> ExportLine
    {
        .broken(ForeignProblem(item: item, reason: reason, isAsset: isAsset))
    }

    private static func header(_ value: JSONValue) -> ExportLine {
        guard let number = value["format"]?.integer, number >= 1 else {
            return broken(nil, "The header states no format.", isAsset: false)
        }
        guard number <= format else {
            let reason = "It was written by a newer version of photos, in the format \(number)."
            return broken(nil, reason, isAsset: false)
        }
        var counts = ForeignCounts(generation: "Export of a photo library", model: Int(number))
        counts.identifier = ExportValue.uuid(value["libraryIdentifier"]?.text)
        counts.version = value["version"]?.integer.map { max(0, $0) }
        for (total, flag, what) in [
            ("hidden", "includesHidden", "hidden photos"),
            ("deleted", "includesDeleted", "photos in Recently Deleted"),
        ] {
            guard let count = value[total]?.integer, count > 0, value[flag]?.isTrue != true else {
                continue
            }
            counts.notes.append(
                ForeignNote(
                    code: "notExported",
                    text: "\(count) \(what) of the library are not in the export."
                )
            )
        }
        let assets = Int(clamping: max(0, value["assets"]?.integer ?? 0))
        return .header(counts, assets: assets)
    }

    // MARK: - Assets

    private static func asset(_ value: JSONValue) -> ExportLine {
        guard let uuid = ExportValue.uuid(value["uuid"]?.text),
            !uuid.hasPrefix(CollectionRecord.builtInPrefix)
        else { return broken(nil, "The photo's identifier is not a UUID.") }
        var reader = ExportFactsReader(value)
        guard let record = reader.record(uuid: uuid) else {
            let type = value["mediaType"]?.integer.map(String.init) ?? "none"
            return broken(uuid, "Its media type (\(type)) is unknown.")
        }
        var asset = ForeignAsset(
            item: uuid,
            uuid: uuid,
            originalFilename: record.originalFilename
        )
        asset.isVideo = record.mediaType == .video
        asset.exact = record
        if let path = path(value["xmp"]) { asset.descriptions = [path] }
        if case .array(let files)? = value["files"] {
            for file in files.prefix(maximumFiles) {
                if let resource = resource(file, &reader) { asset.resources.append(resource) }
            }
            if files.count > maximumFiles {
                reader.note("unknownType", "It has more than \(maximumFiles) files.")
            }
        }
        asset.notes = reader.notes
        return .asset(asset)
    }

    private static func resource(_ value: JSONValue, _ reader: inout ExportFactsReader)
        -> ForeignResource?
    {
        guard let number = value["type"]?.integer,
            let type = ResourceType(rawValue: Int(clamping: number))
        else {
            let type = value["type"]?.integer.map(String.init) ?? "none"
            reader.note("unknownType", "A file of an unknown type (\(type)) was left out.")
            return nil
        }
        guard let size = value["size"]?.integer, size > 0,
            let digest = ExportValue.digest(value["sha256"]?.text)
        else {
            reader.note("unknownType", "A file without a size or a SHA-256 was left out.")
            return nil
        }
        var isOfEdit = value["isOfEdit"]?.isTrue ?? false
        // Adjustments alone may belong to an original.
        if type != .adjustmentData { isOfEdit = type.isMadeByEditing }
        let width = ExportValue.side(value["pixelWidth"]) ?? 0
        let height = ExportValue.side(value["pixelHeight"]) ?? 0
        var resource = ForeignResource(
            role(of: type, isOfEdit: isOfEdit),
            path(value["path"]).map { [.path($0)] } ?? [],
            isExpected: true
        )
        resource.stated = StatedFile(
            uuid: ExportValue.uuid(value["uuid"]?.text),
            type: type,
            originalFilename: ExportValue.text(
                value["originalFilename"],
                ExportValue.name
            ) ?? "",
            contentType: ExportValue.contentType(value["contentType"]) ?? "",
            size: size,
            sha256: digest,
            pixelSize: PixelSize(width: width, height: height),
            isOfEdit: isOfEdit
        )
        return resource
    }

    private static func role(of type: ResourceType, isOfEdit: Bool) -> ForeignResource.Role {
        switch type {
        case .photo, .video, .audio, .photoProxy: .original
        case .alternatePhoto: .alternatePhoto
        case .pairedVideo: .pairedVideo
        case .fullSizePhoto, .fullSizeVideo: .render
        case .fullSizePairedVideo: .renderPairedVideo
        case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo:
            .adjustmentBase
        case .adjustmentData: isOfEdit ? .adjustments : .cameraAdjustments
        case .sidecar: .sidecar
        }
    }

    /// Returns a relative path that stays inside the export's folder; nil for any other value.
    private static func path(_ value: JSONValue?) -> String? {
        guard let text = value?.text, (1...ForeignLimits.path).contains(text.utf8.count),
            !text.utf8.contains(0)
        else { return nil }
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        return text
    }

    // MARK: - Collections

    private static func collection(_ value: JSONValue, _ kind: ForeignCollection.Kind)
        -> ExportLine
    {
        let word = kind == .folder ? "folder" : "album"
        guard let uuid = ExportValue.uuid(value["uuid"]?.text),
            !uuid.hasPrefix(CollectionRecord.builtInPrefix)
        else { return broken(nil, "The \(word)'s identifier is not a UUID.", isAsset: false) }
        var collection = ForeignCollection(
            item: uuid,
            uuid: uuid,
            kind: kind,
            title: ExportValue.text(value["title"], ForeignLimits.text) ?? "",
            parent: ExportValue.uuid(value["parent"]?.text)
        )
        collection.creationDate = ExportDateParser.seconds(value["creationDate"]?.text)
        collection.modificationDate = ExportDateParser.seconds(value["modificationDate"]?.text)
        var members: [String] = []
        if kind == .album, case .array(let values)? = value["members"] {
            var seen: Set<String> = []
            for value in values {
                guard let uuid = ExportValue.uuid(value.text), seen.insert(uuid).inserted else {
                    continue
                }
                members.append(uuid)
            }
            if members.count < values.count {
                collection.notes.append(
                    ForeignNote(
                        code: "membersLeftOut",
                        text: "\(values.count - members.count) members of the album"
                            + " “\(collection.title)” are named twice or have no UUID."
                    )
                )
            }
        }
        return .collection(collection, members: members)
    }
}
