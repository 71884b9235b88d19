package import Foundation
internal import PhotoModel
internal import SamplePhotos

/// Writes a small library in the shape of Photos 3 and 4, with an asset for each property.
package struct EarlierAppleLibrary {
    /// An asset, named after its property.
    package enum Item: Int, CaseIterable, Sendable {
        case plain = 1, live, pair, edited, editedLive, movie, hidden, trashed
        case burstKey, burstRest, referenced, impossibleDate

        package var date: Double { 480_000_000.25 + Double(rawValue) * 3600 }
    }

    /// An album by its sort rule.
    ///
    /// The members are the same, and are stored in the custom order.
    package enum Album: Int, CaseIterable, Sendable {
        case custom = 1, newestFirst = 7, byTitle, byTitleDescending

        fileprivate var rule: (path: String, isAscending: Bool) {
            switch self {
            case .custom: ("custom.default", true)
            case .newestFirst: ("exifProperties.ImageDate", false)
            case .byTitle: ("basicProperties.VersionName", true)
            case .byTitleDescending: ("basicProperties.VersionName", false)
            }
        }
    }

    /// The members of the albums in the custom order.
    package static let ordered: [Item] = [.movie, .plain, .edited]
    /// The volume of the referenced original.
    package static let volume = "Archive Disk"

    package var version = 4025

    package init() {}

    private static func bytes(_ kind: UInt8, _ number: Int) -> [UInt8] {
        // The middle gives a `%` in the short form.
        [
            kind, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x4F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0,
            UInt8(number & 255),
        ]
    }

    /// Returns the identifier that an object has here; kind 1 is for assets, 2 for albums.
    package static func uuid(_ kind: UInt8, _ number: Int) -> String {
        let digits = bytes(kind, number).map { String(format: "%02X", $0) }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits.dropFirst($0.lowerBound).prefix($0.count)) }
            .joined(separator: "-")
    }

    /// Returns the identifier of 22 characters that an object has in Photos.
    package static func short(_ kind: UInt8, _ number: Int) -> String {
        String(Data(bytes(kind, number)).base64EncodedString().prefix(22))
            .replacingOccurrences(of: "/", with: "%")
    }

    /// Returns the path of an original, relative to the folder of masters or to its volume.
    private static func path(_ item: Item) -> String {
        (item == .referenced ? "Users/ana/" : "2016/03/") + name(item)
    }

    private static func name(_ item: Item) -> String {
        "\(item)." + (item == .movie ? "MOV" : "JPG")
    }

    // MARK: - Writing

    /// Writes the library into a new folder, and the referenced original to its volume's folder.
    package func write(to library: URL, volume: URL) throws {
        let size = PixelSize(width: 64, height: 48)
        let picture = try SampleFile.jpeg(SamplePhoto(size: size))
        let movie = try SampleFile.quickTime(SampleMovie(size: size, duration: 0.2))
        func write(_ data: Data, _ path: String, _ root: URL) throws {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        }
        for item in Item.allCases {
            let data =
                item == .movie
                ? movie : AppleLibrary.marked(picture, "original \(item)")
            let isReferenced = item == .referenced
            try write(
                data,
                (isReferenced ? "" : "Masters/") + Self.path(item),
                isReferenced ? volume : library
            )
        }
        let raw = SampleFile.dng(SamplePhoto(size: size))
        try write(raw, "Masters/2016/03/pair.DNG", library)
        // Names have the number of the file in hexadecimal; folders are not reliable.
        let media = "resources/media/"
        for (name, number) in [("live", 0x1A), ("editedLive", 0x1B)] {
            let data = movie + AppleLibrary.freeAtom(UInt64(number))
            let file = String(format: "master/00/01/jpegvideocomplement_%x.mov", number)
            try write(data, media + file, library)
            _ = name
        }
        for number in [0x2A, 0x2B] {
            let data = AppleLibrary.marked(picture, "render \(number)")
            let file = String(format: "version/00/02/fullsizeoutput_%x.jpeg", number)
            try write(data, media + file, library)
        }
        let complement = movie + AppleLibrary.freeAtom(0x2C)
        try write(complement, media + "version/00/00/videocomplementoutput_2c.mov", library)
        try write(Data(), "database/empty", library)
        try ProcessRunner.sqlite(
            schema + rows,
            in: library.appendingPathComponent("database/photos.db")
        )
    }

    // MARK: - Database

    private var schema: String {
        """
        CREATE TABLE LiGlobals (modelId INTEGER PRIMARY KEY, keyPath VARCHAR, value VARCHAR);
        INSERT INTO LiGlobals VALUES (1, 'libraryVersion', '\(version)');
        CREATE TABLE RKVersion (modelId INTEGER PRIMARY KEY, uuid VARCHAR, type INTEGER,
            masterUuid VARCHAR, rawMasterUuid VARCHAR, nonRawMasterUuid VARCHAR, name VARCHAR,
            extendedDescription VARCHAR, imageDate TIMESTAMP, imageTimeZoneOffsetSeconds INTEGER,
            imageTimeZoneName VARCHAR, lastModifiedDate TIMESTAMP, isFavorite INTEGER,
            isHidden INTEGER, isInTrash INTEGER, inTrashDate TIMESTAMP, mainRating INTEGER,
            isFlagged INTEGER, latitude DECIMAL, longitude DECIMAL, specialType INTEGER,
            subType INTEGER, burstUuid VARCHAR, burstPickType INTEGER, hasAdjustments INTEGER,
            adjustmentUuid VARCHAR);
        CREATE TABLE RKMaster (modelId INTEGER PRIMARY KEY, uuid VARCHAR, imagePath VARCHAR,
            originalFileName VARCHAR, importGroupUuid VARCHAR, volumeId INTEGER,
            fileIsReference INTEGER, mediaGroupId VARCHAR, originalFileSize INTEGER,
            fingerprint VARCHAR);
        CREATE TABLE RKImportGroup (modelId INTEGER PRIMARY KEY, uuid VARCHAR,
            importDate TIMESTAMP);
        INSERT INTO RKImportGroup VALUES (1, 'group', 500000000.5);
        CREATE TABLE RKVolume (modelId INTEGER PRIMARY KEY, name VARCHAR);
        INSERT INTO RKVolume VALUES (1, '\(Self.volume)');
        CREATE TABLE RKAlbum (modelId INTEGER PRIMARY KEY, uuid VARCHAR, name VARCHAR,
            albumType INTEGER, albumSubclass INTEGER, folderUuid VARCHAR, isMagic INTEGER,
            isInTrash INTEGER, createDate TIMESTAMP, sortKeyPath VARCHAR,
            sortAscending INTEGER);
        CREATE TABLE RKFolder (modelId INTEGER PRIMARY KEY, uuid VARCHAR, name VARCHAR,
            folderType INTEGER, parentFolderUuid VARCHAR, isMagic INTEGER, isInTrash INTEGER,
            createDate TIMESTAMP);
        CREATE TABLE RKAlbumVersion (modelId INTEGER PRIMARY KEY, albumId INTEGER,
            versionId INTEGER);
        CREATE TABLE RKCustomSortOrder (modelId INTEGER PRIMARY KEY, containerUuid VARCHAR,
            objectUuid VARCHAR, orderNumber INTEGER);
        CREATE TABLE RKKeyword (modelId INTEGER PRIMARY KEY, name VARCHAR);
        CREATE TABLE RKKeywordForVersion (modelId INTEGER PRIMARY KEY, versionId INTEGER,
            keywordId INTEGER);
        CREATE TABLE RKPerson (modelId INTEGER PRIMARY KEY, name VARCHAR);
        CREATE TABLE RKFace (modelId INTEGER PRIMARY KEY, imageModelId INTEGER, personId INTEGER,
            centerX DECIMAL, centerY DECIMAL, size DECIMAL);
        CREATE TABLE RKPlace (modelId INTEGER PRIMARY KEY, defaultName VARCHAR, area DECIMAL);
        CREATE TABLE RKPlaceForVersion (modelId INTEGER PRIMARY KEY, versionId INTEGER,
            placeId INTEGER);
        CREATE TABLE RKModelResource (modelId INTEGER PRIMARY KEY, attachedModelId INTEGER,
            attachedModelType INTEGER, resourceType INTEGER, resourceTag VARCHAR);
        CREATE TABLE RKAdjustmentData (modelId INTEGER PRIMARY KEY, uuid VARCHAR, format VARCHAR,
            formatVersion VARCHAR, data BLOB);

        """
    }

    private var rows: String {
        var sql = ""
        for item in Item.allCases {
            let number = item.rawValue
            var version = [
                "modelId": "\(number)", "uuid": "'\(Self.short(1, number))'",
                "type": item == .movie ? "8" : "2", "masterUuid": "'master \(number)'",
                "imageDate": "\(item.date)", "imageTimeZoneOffsetSeconds": "-14400",
                "imageTimeZoneName": "'GMT-0400'", "lastModifiedDate": "510000000",
                "isFavorite": "0", "isHidden": "0", "isInTrash": "0", "mainRating": "0",
                "isFlagged": "0", "specialType": "0", "subType": "0", "hasAdjustments": "0",
            ]
            sql += change(item, &version)
            let columns = version.keys.sorted()
            sql += """
                INSERT INTO RKVersion (\(columns.joined(separator: ", ")))
                VALUES (\(columns.compactMap { version[$0] }.joined(separator: ", ")));
                INSERT INTO RKMaster (modelId, uuid, imagePath, originalFileName, importGroupUuid,
                    volumeId, fileIsReference)
                VALUES (\(100 + number), 'master \(number)', '\(Self.path(item))',
                    '\(Self.name(item))', 'group', \(item == .referenced ? "1" : "NULL"),
                    \(item == .referenced ? 1 : 0));

                """
        }
        return sql + collections
    }

    private func change(_ item: Item, _ version: inout [String: String]) -> String {
        let number = item.rawValue
        func resource(_ id: Int, _ attached: Int, type: Int, kind: Int, tag: String?) -> String {
            """
            INSERT INTO RKModelResource VALUES (\(id), \(attached), \(type), \(kind),
                \(tag.map { "'\($0)'" } ?? "NULL"));

            """
        }
        func edit() -> String {
            version["hasAdjustments"] = "1"
            version["adjustmentUuid"] = "'edit \(number)'"
            return """
                INSERT INTO RKAdjustmentData VALUES (\(number), 'edit \(number)',
                    'com.apple.photo', '1.4', X'0102');

                """
        }
        switch item {
        case .plain:
            for (column, value) in [
                ("name", "'It''s plain'"), ("extendedDescription", "'A caption'"),
                ("isFavorite", "1"), ("isFlagged", "1"), ("mainRating", "4"),
                ("latitude", "41.25"), ("longitude", "-95.5"),
            ] { version[column] = value }
            return """
                INSERT INTO RKKeyword VALUES (1, 'Sea'), (2, 'Zürich');
                INSERT INTO RKKeywordForVersion VALUES (1, 1, 1), (2, 1, 2);
                INSERT INTO RKPerson VALUES (1, 'Bo'), (2, '');
                INSERT INTO RKFace VALUES (1, 1, 1, 0.25, 0.25, 0.5), (2, 1, 2, 0.5, 0.5, 0.5);
                INSERT INTO RKPlace VALUES (1, 'United States', 9e6), (2, 'Omaha', 300);
                INSERT INTO RKPlaceForVersion VALUES (1, 1, 1), (2, 1, 2);

                """
        case .live:
            version["specialType"] = "5"
            return resource(0x1A, 100 + number, type: 1, kind: 7, tag: nil)
        case .pair:
            version["specialType"] = "7"
            version["subType"] = "16"
            version["rawMasterUuid"] = "'raw'"
            version["nonRawMasterUuid"] = "'master \(number)'"
            return """
                INSERT INTO RKMaster (modelId, uuid, imagePath, originalFileName, importGroupUuid)
                VALUES (200, 'raw', '2016/03/pair.DNG', 'pair.DNG', 'group');

                """
        case .edited:
            return edit() + resource(0x2A, number, type: 2, kind: 4, tag: "edit \(number)")
        case .editedLive:
            version["specialType"] = "5"
            return edit() + resource(0x1B, 100 + number, type: 1, kind: 7, tag: nil)
                + resource(0x2B, number, type: 2, kind: 4, tag: "edit \(number)")
                + resource(0x2C, number, type: 2, kind: 8, tag: "edit \(number)")
        case .movie: version["specialType"] = "2"
        case .hidden: version["isHidden"] = "1"
        case .trashed:
            version["isInTrash"] = "1"
            version["inTrashDate"] = "600000000"
        case .burstKey:
            version["burstUuid"] = "'RK-BURST'"
            version["burstPickType"] = "20"
        case .burstRest:
            version["burstUuid"] = "'RK-BURST'"
            version["burstPickType"] = "2"
        case .referenced: break
        case .impossibleDate: version["imageDate"] = "123456789012345"
        }
        return ""
    }

    private var collections: String {
        var sql = """
            INSERT INTO RKFolder VALUES
                (1, 'LibraryFolder', 'Library', 1, NULL, 0, 0, NULL),
                (2, 'TopLevelAlbums', '', 1, 'LibraryFolder', 1, 0, NULL),
                (3, '\(Self.short(3, 1))', 'Trips', 1, 'TopLevelAlbums', 0, 0, 400000000),
                (4, '\(Self.short(3, 2))', 'Project', 2, 'LibraryFolder', 0, 0, NULL);

            """
        let albums = [
            ("Book", 9, 3, 0), ("Slideshow", 8, 3, 0), ("Deleted", 1, 3, 1), ("Import", 1, 1, 0),
            ("Smart", 1, 2, 0),
        ]
        for (index, (name, type, subclass, trashed)) in albums.enumerated() {
            sql += """
                INSERT INTO RKAlbum VALUES (\(index + 2), '\(Self.short(2, index + 2))', '\(name)',
                    \(type), \(subclass), '\(Self.short(3, 1))', 0, \(trashed), 400000001, NULL, 1);

                """
        }
        sql += "INSERT INTO RKAlbum VALUES (50, 'lastImport', '', 1, 3, '', 1, 0, NULL, NULL, 1);\n"
        for album in Album.allCases {
            let (key, short) = (album.rawValue, Self.short(2, album.rawValue))
            let (path, isAscending) = album.rule
            sql += """
                INSERT INTO RKAlbum VALUES (\(key), '\(short)', '\(album)', 1, 3,
                    '\(Self.short(3, 1))', 0, 0, 400000001, '\(path)', \(isAscending ? 1 : 0));

                """
            for (place, item) in Self.ordered.enumerated() {
                sql += """
                    INSERT INTO RKAlbumVersion (albumId, versionId) VALUES (\(key), \(item.rawValue));
                    INSERT INTO RKCustomSortOrder (containerUuid, objectUuid, orderNumber)
                    VALUES ('\(short)', '\(Self.short(1, item.rawValue))', \(place * 100));

                    """
            }
        }
        return sql
    }
}
