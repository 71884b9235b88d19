internal import Media
internal import WorkerProtocol

/// The values in the `DataModelVersion.plist` of an iPhoto library.
struct IPhotoModel {
    var version: Int

    /// Reads the property list; throws an error if the library does not belong to iPhoto.
    init(_ descriptor: Int32) throws(ForeignDatabase.Failure) {
        guard let file = MappedFile.map(descriptor),
            file.bytes.count <= ForeignLibraryPart.maximumListLength
        else {
            throw ForeignDatabase.Failure(reason: "Its DataModelVersion.plist cannot be read.")
        }
        let list = LibraryModelList(file.bytes)
        guard list.isIPhoto else {
            throw ForeignDatabase.Failure(reason: ForeignLibraryPart.apertureReason)
        }
        version = list.version
    }
}

/// Reads the descriptions, places and people of an asset from iPhoto's additional databases.
///
/// An absent database or table is not an error; ``notes`` mentions it.
struct IPhotoDetails {
    typealias Failure = ForeignDatabase.Failure
    typealias Statement = ForeignDatabase.Statement

    private let captions: Statement?
    private let places: Statement?
    private let people: Statement?
    private(set) var notes: [ForeignNote] = []
    // Statements do not keep their connections open.
    private let databases: [ForeignDatabase]

    init(_ parts: [ForeignLibraryPart: Int32], secondsPerStatement: Int) throws(Failure) {
        let properties = try Self.database(
            parts[.properties],
            log: parts[.propertiesLog],
            "Properties.apdb",
            secondsPerStatement
        )
        let faces = try Self.database(
            parts[.faces],
            log: parts[.facesLog],
            "Faces.db",
            secondsPerStatement
        )
        databases = [properties, faces].compactMap(\.self)
        captions = try properties.flatMap(Self.captions)
        places = try properties.flatMap(Self.places)
        people = try faces.flatMap(Self.people)
        if captions == nil {
            notes.append(
                ForeignNote(
                    code: "descriptionsMissing",
                    text: "Database/apdb/Properties.apdb is not there or has no descriptions, so"
                        + " none are imported."
                )
            )
        }
        if people == nil {
            notes.append(
                ForeignNote(
                    code: "peopleMissing",
                    text: "Database/apdb/Faces.db is not there or has no people, so none are kept."
                )
            )
        }
    }

    /// Opens a database; returns nil if there is no descriptor.
    ///
    /// The text of an error contains `name`.
    private static func database(
        _ descriptor: Int32?,
        log: Int32?,
        _ name: String,
        _ seconds: Int
    ) throws(Failure) -> ForeignDatabase? {
        guard let descriptor else { return nil }
        do throws(Failure) {
            return try ForeignDatabase(descriptor, log: log, secondsPerStatement: seconds)
        } catch { throw Failure(reason: "\(error.reason) (\(name))") }
    }

    private static func captions(_ database: ForeignDatabase) throws(Failure) -> Statement? {
        guard
            try database.hasColumns(
                ("RKIptcProperty", ["versionId", "propertyKey", "stringId"]),
                ("RKUniqueString", ["modelId", "stringProperty"])
            )
        else { return nil }
        return try database.statement(
            """
            SELECT s.stringProperty FROM RKIptcProperty p
            JOIN RKUniqueString s ON s.modelId = p.stringId
            WHERE p.versionId = ? AND p.propertyKey = 'Caption/Abstract' LIMIT 1
            """
        )
    }

    private static func places(_ database: ForeignDatabase) throws(Failure) -> Statement? {
        guard
            try database.hasColumns(
                ("RKPlaceForVersion", ["versionId", "placeId"]),
                ("RKPlace", ["modelId", "defaultName"])
            )
        else { return nil }
        return try database.statement(
            """
            SELECT p.defaultName FROM RKPlaceForVersion j JOIN RKPlace p ON p.modelId = j.placeId
            WHERE j.versionId = ? AND p.defaultName <> ''
            ORDER BY \(try database.column("p", "RKPlace", "area")), p.modelId LIMIT 32
            """
        )
    }

    private static func people(_ database: ForeignDatabase) throws(Failure) -> Statement? {
        let full = try database.column("n", "RKFaceName", "fullName")
        let short = try database.column("n", "RKFaceName", "name")
        guard full != "NULL" || short != "NULL",
            try database.hasColumns(
                ("RKDetectedFace", ["masterUuid", "faceKey"]),
                ("RKFaceName", ["faceKey"])
            )
        else { return nil }
        return try database.statement(
            """
            SELECT DISTINCT coalesce(nullif(\(full), ''), \(short)) FROM RKDetectedFace f
            JOIN RKFaceName n ON n.faceKey = f.faceKey
            WHERE f.masterUuid = ?
                AND NOT coalesce(\(try database.column("f", "RKDetectedFace", "rejected")), 0)
                AND NOT coalesce(\(try database.column("f", "RKDetectedFace", "ignore")), 0)
            ORDER BY 1 LIMIT 1000
            """
        )
    }

    func caption(of version: Int64) throws(Failure) -> String? {
        guard let captions else { return nil }
        captions.start(version)
        return try captions.step() ? captions.text(0, limit: ForeignLimits.text) : nil
    }

    /// Returns the place names of a version, from the most precise place to the country.
    func placeNames(of version: Int64) throws(Failure) -> [String] {
        guard let places else { return [] }
        places.start(version)
        var names: [String] = []
        while try places.step() {
            if let name = places.text(0, limit: 1024) { names.append(name) }
        }
        return ForeignValue.bounded(names)
    }

    /// Returns the named people in a master, without face regions.
    ///
    /// The scale of the regions is unknown.
    func people(of master: String) throws(Failure) -> [ForeignPerson] {
        guard let people else { return [] }
        people.start(master)
        var result: [ForeignPerson] = []
        while try people.step() {
            guard let name = people.text(0, limit: 256), !name.isEmpty else { continue }
            result.append(ForeignPerson(name: name, region: nil))
        }
        return result
    }
}
