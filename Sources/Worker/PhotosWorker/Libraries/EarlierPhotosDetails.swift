internal import WorkerProtocol

/// Reads the keywords, people, places and files of an asset in a library of Photos 3 or 4.
final class EarlierPhotosDetails {
    typealias Failure = ForeignDatabase.Failure
    typealias Statement = ForeignDatabase.Statement

    private let keywords: Statement?
    private let people: Statement?
    private let places: Statement?
    private let media: Statement?
    private let masters: Statement
    /// Indicates whether a text of the asset was truncated; ``keywords(of:)`` resets the value for
    /// the next asset.
    private(set) var hasCut = false

    /// An original file, which the database calls a master.
    struct Master {
        var name: String
        var path: String
        var isReferenced: Bool
        var volume: String?
        /// The size of the file in bytes; nil if the database does not state it.
        var size: Int64?
        var fingerprint: String?
    }

    init(_ database: ForeignDatabase) throws(Failure) {
        keywords =
            try database.hasColumns(
                ("RKKeywordForVersion", ["versionId", "keywordId"]),
                ("RKKeyword", ["modelId", "name"])
            )
            ? try database.statement(
                """
                SELECT k.name FROM RKKeywordForVersion j JOIN RKKeyword k ON k.modelId = j.keywordId
                WHERE j.versionId = ? ORDER BY k.name LIMIT 1000
                """
            ) : nil
        people =
            try database.hasColumns(
                ("RKFace", ["imageModelId", "personId", "modelId"]),
                ("RKPerson", ["modelId", "name"])
            )
            ? try database.statement(
                """
                SELECT p.name, \(try database.column("f", "RKFace", "centerX")),
                    \(try database.column("f", "RKFace", "centerY")),
                    \(try database.column("f", "RKFace", "size"))
                FROM RKFace f JOIN RKPerson p ON p.modelId = f.personId
                WHERE f.imageModelId = ? AND p.name <> '' ORDER BY p.name, f.modelId LIMIT 1000
                """
            ) : nil
        places =
            try database.hasColumns(
                ("RKPlaceForVersion", ["versionId", "placeId"]),
                ("RKPlace", ["modelId", "defaultName"])
            )
            ? try database.statement(
                """
                SELECT p.defaultName FROM RKPlaceForVersion j
                JOIN RKPlace p ON p.modelId = j.placeId
                WHERE j.versionId = ? AND p.defaultName <> ''
                ORDER BY \(try database.column("p", "RKPlace", "area")), p.modelId LIMIT 32
                """
            ) : nil
        media =
            try database.columns(of: "RKModelResource").isSuperset(of: [
                "modelId", "attachedModelId", "attachedModelType", "resourceType", "resourceTag",
            ])
            ? try database.statement(
                """
                SELECT modelId, attachedModelType, resourceType, resourceTag FROM RKModelResource
                WHERE attachedModelId = ? AND attachedModelType IN (1, 2) ORDER BY modelId LIMIT 1000
                """
            ) : nil
        // Photos refers to volumes by number, iPhoto by identifier.
        let volume = try database.column("m", "RKMaster", "volumeId", "fileVolumeUuid")
        let volumeKey = volume == "m.fileVolumeUuid" ? "uuid" : "modelId"
        let isNamed = try database.hasColumns(("RKVolume", [volumeKey, "name"]))
        let hasVolumes = isNamed && volume != "NULL"
        masters = try database.statement(
            """
            SELECT \(try database.column("m", "RKMaster", "originalFileName", "fileName")),
                m.imagePath,
                \(try database.column("m", "RKMaster", "fileIsReference")),
                \(hasVolumes ? "v.name" : "NULL"),
                \(try database.column("m", "RKMaster", "originalFileSize")),
                \(try database.column("m", "RKMaster", "fingerprint"))
            FROM RKMaster m \(hasVolumes ? "LEFT JOIN RKVolume v ON v.\(volumeKey) = \(volume)" : "")
            WHERE m.uuid = ?
            """
        )
    }

    func keywords(of version: Int64) throws(Failure) -> [String] {
        hasCut = false
        return bounded(try texts(keywords, version, limit: 1024))
    }

    func placeNames(of version: Int64) throws(Failure) -> [String] {
        bounded(try texts(places, version, limit: 1024))
    }

    private func bounded(_ texts: [String]) -> [String] {
        let bounded = ForeignValue.bounded(texts)
        if bounded.count < texts.count { hasCut = true }
        return bounded
    }

    private func texts(_ statement: Statement?, _ key: Int64, limit: Int) throws(Failure)
        -> [String]
    {
        guard let statement else { return [] }
        statement.start(key)
        var texts: [String] = []
        while try statement.step() {
            if let text = statement.text(0, limit: limit) { texts.append(text) }
            if statement.hasCut(0) { hasCut = true }
        }
        return texts
    }

    func people(of version: Int64) throws(Failure) -> [ForeignPerson] {
        guard let people else { return [] }
        people.start(version)
        var result: [ForeignPerson] = []
        while try people.step() {
            guard let name = people.text(0, limit: 256) else { continue }
            if people.hasCut(0) { hasCut = true }
            let region = [people.number(1), people.number(2), people.number(3)].compactMap(\.self)
            let isRegion =
                region.count == 3 && region.allSatisfy { (0...1).contains($0) } && region[2] > 0
            result.append(
                ForeignPerson(
                    name: name,
                    region: isRegion ? [region[0], 1 - region[1], region[2]] : nil
                )
            )
        }
        return result
    }

    func master(_ uuid: String) throws(Failure) -> Master? {
        masters.start(uuid)
        guard try masters.step(), let path = masters.text(1), !path.isEmpty else { return nil }
        return Master(
            name: masters.text(0) ?? "",
            path: path,
            isReferenced: masters.isTrue(2),
            volume: masters.text(3),
            size: masters.integer(4).flatMap { $0 > 0 ? $0 : nil },
            fingerprint: masters.text(5, limit: 64)
        )
    }

    /// Returns the files that Photos made from a version (a state of a photo) or from a master (an
    /// original file), in the order of their row ids.
    ///
    /// `type` is 2 for a version and 1 for a master. `tag` is the edit to which the files belong;
    /// nil means any.
    func files(of key: Int64, type: Int64, tag: String?) throws(Failure) -> [(
        number: Int64, kind: Int64
    )] {
        guard let media else { return [] }
        media.start(key)
        var result: [(number: Int64, kind: Int64)] = []
        while try media.step() {
            guard let number = media.integer(0), number > 0, media.integer(1) == type,
                tag == nil || media.text(3) == tag
            else { continue }
            result.append((number, media.integer(2) ?? 0))
        }
        return result
    }
}
