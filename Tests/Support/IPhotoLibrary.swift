package import Foundation
internal import PhotoModel
internal import SamplePhotos

/// Writes a library in the shape of iPhoto 9, as public descriptions state it: three databases, the
/// property list of the program, originals and previews.
///
/// Its content follows from the number of assets alone. No real library was available to compare.
package struct IPhotoLibrary {
    /// The number of assets.
    package var assets = 14
    /// Indicates whether the property list says that the library is iPhoto's; nil for no list.
    package var isIPhoto: Bool? = true
    /// Indicates whether the property list is in the binary format.
    package var isBinary = false

    package init() {}

    package static let zone = "America/New_York"
    /// The volume with the referenced original.
    package static let volume = "Photo Archive"

    // MARK: - Identifiers

    /// The kinds of objects with identifiers.
    package enum Kind: UInt8 {
        case version = 0xA0, original, master, rawMaster, album, folder, event
    }

    private static func bytes(_ kind: Kind, _ index: Int) -> [UInt8] {
        // The middle gives a `%` in the short form.
        [kind.rawValue, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x4F, 0xFF, 0x80, 0, 0, 0, 0, 0]
            + [UInt8(index >> 8 & 0xFF), UInt8(index & 0xFF)]
    }

    /// Returns the identifier that an object has here.
    package static func uuid(_ kind: Kind, _ index: Int) -> String {
        let digits = bytes(kind, index).map { String(format: "%02X", $0) }.joined()
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(digit)
        }
        return text
    }

    /// Returns the identifier of 22 characters that an object has in iPhoto.
    package static func short(_ kind: Kind, _ index: Int) -> String {
        String(Data(bytes(kind, index)).base64EncodedString().prefix(22))
            .replacingOccurrences(of: "/", with: "%")
    }

    // MARK: - Facts

    package func isEdited(_ index: Int) -> Bool { index % 4 == 1 }
    package func isTrashed(_ index: Int) -> Bool { index % 11 == 10 }
    package func isHidden(_ index: Int) -> Bool { index % 13 == 12 }
    package func isReferenced(_ index: Int) -> Bool { index == 7 }
    package func isMovie(_ index: Int) -> Bool { index == 6 }
    /// Returns whether an asset is a pair of a RAW and a JPEG.
    package func isPair(_ index: Int) -> Bool { index == 3 }
    package func rating(_ index: Int) -> Int { index % 6 }
    package func title(_ index: Int) -> String? { index % 2 == 0 ? "Title 'of' \(index)" : nil }
    package func caption(_ index: Int) -> String? { index % 5 == 0 ? "Caption\n\(index)" : nil }
    package func keywords(_ index: Int) -> [String] {
        index % 6 == 0 ? ["Wedding", "Zürich"] : []
    }
    package func people(_ index: Int) -> [String] { index % 8 == 0 ? ["Ana <M>", "Bo"] : [] }
    package func place(_ index: Int) -> (latitude: Double, longitude: Double)? {
        index % 3 == 0 ? (40.5 + Double(index) / 1e4, -74.25) : nil
    }
    /// Returns the date in seconds since 2001; consecutive ones are a month apart.
    package func date(_ index: Int) -> Double { 390_000_000 + Double(index) * 2_592_000 }
    /// Returns the offset of the time zone at the date.
    package func offset(_ index: Int) -> Int {
        let date = Date(timeIntervalSinceReferenceDate: date(index))
        return TimeZone(identifier: Self.zone)?.secondsFromGMT(for: date) ?? 0
    }
    package func name(_ index: Int) -> String {
        String(format: "IMG_%04d.", index) + (isMovie(index) ? "MOV" : "JPG")
    }

    /// The events, by their names.
    package static let events = ["Jun 4, 2013", "Trip/2014", ""]
    package func event(_ index: Int) -> Int { index % Self.events.count }

    /// The assets of the ordered album.
    package var ordered: [Int] { (0..<assets).filter { $0 % 3 == 1 }.reversed() }
    /// The assets of the album that is sorted by date.
    package var dated: [Int] { (0..<assets).filter { $0 % 5 == 2 } }

    /// Returns the path of an original relative to the library, or to its volume.
    package func original(_ index: Int) -> String {
        isReferenced(index) ? "Users/ana/" + name(index) : "Masters/" + folder(index) + name(index)
    }

    /// Returns the path of the RAW of a pair.
    package func raw(_ index: Int) -> String {
        "Masters/" + folder(index) + String(format: "IMG_%04d.DNG", index)
    }

    /// Returns the path of the edited picture.
    package func preview(_ index: Int) -> String {
        "Previews/" + (isReferenced(index) ? "Users/ana/" : folder(index))
            + Self.short(.version, index) + String(format: "/IMG_%04d.jpg", index)
    }

    private func folder(_ index: Int) -> String { "2013/06/0\(index % 9 + 1)/20130604-120000/" }

    // MARK: - Writing

    /// Writes the library into a new folder, and the referenced original into the folder of its
    /// volume.
    package func write(to library: URL, volume: URL) throws {
        let picture = try SampleFile.jpeg(SamplePhoto(size: .init(width: 64, height: 48)))
        func write(_ data: Data, _ root: URL, _ path: String) throws {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        }
        for index in 0..<assets {
            let data =
                isMovie(index)
                ? try SampleFile.quickTime(
                    SampleMovie(size: .init(width: 64, height: 48), duration: 0.2)
                ) : Self.marked(picture, "original \(index)")
            try write(data, isReferenced(index) ? volume : library, original(index))
            if isPair(index) {
                let raw = SampleFile.dng(SamplePhoto(size: .init(width: 64, height: 48)))
                try write(raw, library, self.raw(index))
            }
            if isEdited(index) {
                try write(Self.marked(picture, "edited \(index)"), library, preview(index))
            }
        }
        if let isIPhoto {
            let list: [String: Any] = [
                "DatabaseVersion": 110, "DatabaseMinorVersion": 1, "isIPhotoLibrary": isIPhoto,
            ]
            let data = try PropertyListSerialization.data(
                fromPropertyList: list,
                format: isBinary ? .binary : .xml,
                options: 0
            )
            try write(data, library, "Database/apdb/DataModelVersion.plist")
        }
        // iPhoto 9 keeps the list of its predecessors up to date.
        try write(Data("<plist/>".utf8), library, "AlbumData.xml")
        try FileManager.default.createDirectory(
            at: library.appendingPathComponent("Database/apdb"),
            withIntermediateDirectories: true
        )
        try execute(librarySQL, in: library)
        try execute(propertiesSQL, in: library, "Properties.apdb")
        try execute(facesSQL, in: library, "Faces.db")
    }

    /// Runs SQL in one of the library's databases, with the program `sqlite3`.
    package func execute(_ sql: String, in library: URL, _ name: String = "Library.apdb") throws {
        let script = library.appendingPathComponent("script.sql")
        try Data(("BEGIN;\n" + sql + "\nCOMMIT;\n").utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        let database = library.appendingPathComponent("Database/apdb/" + name).path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-bail", database, ".read '\(script.path)'"]
        )
        guard output.status == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: "sqlite3: \(output.errorText)"]
            )
        }
    }

    /// Inserts a comment behind the start of a JPEG.
    private static func marked(_ jpeg: Data, _ text: String) -> Data {
        let payload = Data(text.utf8)
        let length = UInt16(payload.count + 2)
        return jpeg.prefix(2) + Data([0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)])
            + payload + jpeg.dropFirst(2)
    }

    // MARK: - Databases

    private static func quoted(_ text: String?) -> String {
        text.map { "'" + $0.replacingOccurrences(of: "'", with: "''") + "'" } ?? "NULL"
    }

    private var librarySQL: String {
        var sql = """
            CREATE TABLE RKMaster (modelId integer primary key autoincrement, uuid varchar,
                name varchar, projectUuid varchar, importGroupUuid varchar, fileVolumeUuid varchar,
                alternateMasterUuid varchar, originalVersionUuid varchar, fileName varchar,
                type varchar, subtype varchar, fileIsReference integer, isMissing integer,
                imagePath varchar, originalFileName varchar, isInTrash integer);
            CREATE TABLE RKVersion (modelId integer primary key autoincrement, uuid varchar,
                name varchar, fileName varchar, versionNumber integer, masterUuid varchar,
                rawMasterUuid varchar, nonRawMasterUuid varchar, projectUuid varchar,
                imageTimeZoneName varchar, imageDate timestamp, mainRating integer,
                isHidden integer, isFlagged integer, isOriginal integer, type integer,
                hasAdjustments integer, createDate timestamp, isInTrash integer,
                exifLatitude decimal, exifLongitude decimal, showInLibrary integer);
            CREATE INDEX RKMaster_uuid_index ON RKMaster(uuid);
            CREATE INDEX RKVersion_uuid_index ON RKVersion(uuid);
            CREATE TABLE RKImportGroup (modelId integer primary key, uuid varchar, name varchar,
                importDate timestamp);
            INSERT INTO RKImportGroup VALUES (1, 'group', '20130604-120000', 500000000);
            CREATE TABLE RKVolume (modelId integer primary key, uuid varchar, name varchar,
                label varchar);
            INSERT INTO RKVolume VALUES (1, 'volume%1', '\(Self.volume)', '');
            CREATE TABLE RKFolder (modelId integer primary key autoincrement, uuid varchar,
                folderType integer, name varchar, parentFolderUuid varchar, createDate timestamp,
                isInTrash integer, isMagic integer, minImageDate timestamp);
            CREATE TABLE RKAlbum (modelId integer primary key autoincrement, uuid varchar,
                albumType integer, albumSubclass integer, name varchar, folderUuid varchar,
                createDate timestamp, isInTrash integer, isMagic integer);
            CREATE TABLE RKAlbumVersion (modelId integer primary key autoincrement,
                versionId integer, albumId integer);
            CREATE TABLE RKCustomSortOrder (modelId integer primary key autoincrement,
                containerUuid varchar, objectUuid varchar, purpose integer, orderNumber integer);
            CREATE TABLE RKKeyword (modelId integer primary key, uuid varchar, name varchar);
            INSERT INTO RKKeyword VALUES (1, 'k1', 'Wedding'), (2, 'k2', 'Zürich');
            CREATE TABLE RKKeywordForVersion (modelId integer primary key autoincrement,
                versionId integer, keywordId integer);

            """
        for index in 0..<assets { sql += rows(index) }
        sql += collections
        return sql
    }

    /// Returns the row id of the version that is shown.
    package func key(_ index: Int) -> Int { 2 * index + 2 }

    private func rows(_ index: Int) -> String {
        let master = Self.quoted(Self.short(.master, index))
        let raw = isPair(index) ? Self.quoted(Self.short(.rawMaster, index)) : "NULL"
        let event = Self.quoted(Self.short(.event, event(index)))
        let path = original(index).replacingOccurrences(of: "Masters/", with: "")
        let isReferenced = isReferenced(index)
        let stem = String(format: "IMG_%04d", index)
        let place = place(index).map { "\($0.latitude), \($0.longitude)" } ?? "NULL, NULL"
        func masterRow(_ uuid: String, _ name: String, _ path: String) -> String {
            """
            INSERT INTO RKMaster (uuid, name, projectUuid, importGroupUuid, fileVolumeUuid, fileName,
                type, fileIsReference, imagePath, originalFileName, isInTrash)
            VALUES (\(uuid), '\(name)', \(event), 'group', \(isReferenced ? "'volume%1'" : "NULL"),
                '\(name)', '\(isMovie(index) ? "VIDT" : "IMGT")', \(isReferenced ? 1 : 0), '\(path)',
                '\(name)', 0);

            """
        }
        func versionRow(_ number: Int) -> String {
            let isShown = number == 1
            let uuid = Self.short(isShown ? .version : .original, index)
            let title = isShown ? title(index) ?? stem : stem
            return """
                INSERT INTO RKVersion (modelId, uuid, name, fileName, versionNumber, masterUuid,
                    rawMasterUuid, nonRawMasterUuid, projectUuid, imageTimeZoneName, imageDate,
                    mainRating, isHidden, isFlagged, isOriginal, type, hasAdjustments, createDate,
                    isInTrash, exifLatitude, exifLongitude, showInLibrary)
                VALUES (\(key(index) - 1 + number), \(Self.quoted(uuid)), \(Self.quoted(title)),
                    '\(name(index))', \(number), \(master), \(raw), \(master), \(event),
                    '\(Self.zone)', \(date(index)), \(isShown ? rating(index) : 0),
                    \(isHidden(index) ? 1 : 0), \(index == 0 ? 1 : 0), \(1 - number),
                    \(isMovie(index) ? 8 : 2), \(isShown && isEdited(index) ? 1 : 0), 400000000,
                    \(isTrashed(index) ? 1 : 0), \(place), \(number));

                """
        }
        var sql = masterRow(master, name(index), path)
        if isPair(index) {
            let path = self.raw(index).replacingOccurrences(of: "Masters/", with: "")
            sql += masterRow(raw, stem + ".DNG", path)
        }
        sql += versionRow(0) + versionRow(1)
        for keyword in 1...2 where !keywords(index).isEmpty {
            sql += """
                INSERT INTO RKKeywordForVersion (versionId, keywordId) VALUES (\(key(index)), \(keyword));

                """
        }
        return sql
    }

    private var collections: String {
        func folder(_ index: Int, _ type: Int, _ name: String, _ parent: String, _ uuid: String)
            -> String
        {
            """
            INSERT INTO RKFolder (uuid, folderType, name, parentFolderUuid, createDate, isInTrash,
                isMagic, minImageDate)
            VALUES (\(Self.quoted(uuid)), \(type), \(Self.quoted(name)), \(Self.quoted(parent)),
                300000000, 0, \(type > 2 ? 1 : 0), \(index));

            """
        }
        var sql = folder(0, 3, "", "", "LibraryFolder")
        sql += folder(0, 3, "", "LibraryFolder", "TopLevelAlbums")
        sql += folder(0, 1, "Inner", Self.short(.folder, 1), Self.short(.folder, 0))
        sql += folder(1, 1, "Outer", "TopLevelAlbums", Self.short(.folder, 1))
        for (index, name) in Self.events.enumerated() {
            sql += folder(index, 2, name, "AllProjectsItem", Self.short(.event, index))
        }
        // Ordered, by date, empty, in the trash, smart, built in.
        let albums = [
            ("Best/of", Self.short(.folder, 0), 1, 3, 0, 0),
            ("Slides", "TopLevelAlbums", 8, 3, 0, 0),
            ("Empty", "TopLevelAlbums", 1, 3, 0, 0), ("Gone", "TopLevelAlbums", 1, 3, 1, 0),
            ("Smart", "TopLevelAlbums", 1, 2, 0, 0), ("Last Import", "TopLevelAlbums", 1, 3, 0, 1),
        ]
        for (index, album) in albums.enumerated() {
            sql += """
                INSERT INTO RKAlbum (modelId, uuid, name, folderUuid, albumType, albumSubclass,
                    isInTrash, isMagic, createDate)
                VALUES (\(index + 1), \(Self.quoted(Self.short(.album, index))), '\(album.0)',
                    \(Self.quoted(album.1)), \(album.2), \(album.3), \(album.4), \(album.5),
                    310000000);

                """
        }
        for (album, members) in [(0, ordered), (1, dated), (5, [0])] {
            for (place, member) in members.enumerated() {
                sql += """
                    INSERT INTO RKAlbumVersion (versionId, albumId)
                    VALUES (\(key(member)), \(album + 1));

                    """
                guard album == 0 else { continue }
                sql += """
                    INSERT INTO RKCustomSortOrder (containerUuid, objectUuid, orderNumber)
                    VALUES (\(Self.quoted(Self.short(.album, 0))),
                        \(Self.quoted(Self.short(.version, member))), \(place * 1024));

                    """
            }
        }
        return sql
    }

    private var propertiesSQL: String {
        var sql = """
            CREATE TABLE RKIptcProperty (modelId integer primary key autoincrement,
                versionId integer, propertyKey varchar, stringId integer);
            CREATE TABLE RKUniqueString (modelId integer primary key, stringProperty varchar);
            INSERT INTO RKUniqueString VALUES (1, 'someone');

            """
        for index in 0..<assets {
            guard let caption = caption(index) else { continue }
            sql += """
                INSERT INTO RKUniqueString VALUES (\(index + 10), \(Self.quoted(caption)));
                INSERT INTO RKIptcProperty (versionId, propertyKey, stringId)
                VALUES (\(key(index)), 'Byline', 1), (\(key(index)), 'Caption/Abstract', \(index + 10));

                """
        }
        return sql
    }

    private var facesSQL: String {
        var sql = """
            CREATE TABLE RKDetectedFace (modelId integer primary key autoincrement, uuid varchar,
                masterUuid varchar, faceKey integer, rejected integer, ignore integer);
            CREATE TABLE RKFaceName (modelId integer primary key, uuid varchar, faceKey integer,
                name varchar, fullName varchar);
            INSERT INTO RKFaceName VALUES (1, 'f1', 11, 'Ana', 'Ana <M>'), (2, 'f2', 12, 'Bo', ''),
                (3, 'f3', 13, 'Rejected', NULL);

            """
        for index in 0..<assets where !people(index).isEmpty {
            let master = Self.quoted(Self.short(.master, index))
            sql += """
                INSERT INTO RKDetectedFace (masterUuid, faceKey, rejected, ignore)
                VALUES (\(master), 11, 0, 0), (\(master), 12, 0, 0), (\(master), 13, 1, 0);

                """
        }
        return sql
    }
}
