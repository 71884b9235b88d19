package import Foundation
internal import PhotoModel
internal import SamplePhotos

/// Writes a library in the shape of Apple's Photos of macOS 15.7: the tables and columns that are
/// read, the originals, movies of Live Photos, and edits.
///
/// Its content follows from the seed alone.
package struct AppleLibrary {
    /// The number of assets.
    package var assets = 12
    /// Every how many assets one is edited; 0 for none.
    package var editedEvery = 4
    /// Every how many assets one is a Live Photo; 0 for none.
    package var liveEvery = 5
    /// The number of albums, in two folders.
    package var albums = 3
    /// The maximum number of members of an album.
    package var largestAlbum = Int.max
    package var seed: UInt64 = 1
    /// The version of the database's model.
    package var model = 18_500
    /// Indicates whether the library also has an asset for each ``Special`` property.
    package var isRich = false

    package init() {}

    /// The identifier of an asset.
    package func uuid(_ index: Int) -> String { Self.uuid(0xA, index, seed) }
    /// The identifier of an album.
    package func album(_ index: Int) -> String { Self.uuid(0xB, index, seed) }
    /// The identifier of a folder.
    package func folder(_ index: Int) -> String { Self.uuid(0xF, index, seed) }

    func uuid(_ kind: Int, _ index: Int) -> String { Self.uuid(kind, index, seed) }

    private static func uuid(_ kind: Int, _ index: Int, _ seed: UInt64) -> String {
        String(format: "%X%07X-%04X-4000-8000-%012X", kind, index, Int(seed & 0xFFFF), index)
    }

    package func isEdited(_ index: Int) -> Bool { editedEvery > 0 && index % editedEvery == 1 }
    package func isLive(_ index: Int) -> Bool { liveEvery > 0 && index % liveEvery == 2 }

    /// The assets of an album in order.
    package func members(_ album: Int) -> [Int] {
        Array((0..<assets).filter { $0 % (album + 2) == 0 }.reversed().prefix(largestAlbum))
    }

    /// Returns the path of an original, relative to the library.
    package func original(_ index: Int) -> String {
        let uuid = uuid(index)
        return "originals/\(uuid.prefix(1))/\(uuid).jpeg"
    }

    /// Writes the library into a new folder.
    package func write(to library: URL) throws {
        let manager = FileManager.default
        for folder in ["database", "originals/A", "resources/renders/A"] {
            try manager.createDirectory(
                at: library.appendingPathComponent(folder),
                withIntermediateDirectories: true
            )
        }
        let picture = try SampleFile.jpeg(SamplePhoto(size: .init(width: 64, height: 48)))
        let movie =
            liveEvery > 0
            ? try SampleFile.quickTime(
                SampleMovie(size: .init(width: 64, height: 48), duration: 0.2)
            ) : Data()
        let envelope = try SampleFile.aae()
        for index in 0..<assets {
            let uuid = uuid(index)
            let stem = library.appendingPathComponent("originals/A/" + uuid)
            try Self.marked(picture, "original \(seed) \(index)")
                .write(to: stem.appendingPathExtension("jpeg"))
            if isLive(index) {
                var own = movie
                own += Self.freeAtom(UInt64(index))
                try own.write(to: URL(fileURLWithPath: stem.path + "_3.mov"))
            }
            if isEdited(index) {
                let render = library.appendingPathComponent("resources/renders/A/" + uuid).path
                try Self.marked(picture, "render \(seed) \(index)")
                    .write(to: URL(fileURLWithPath: render + "_1_201_a.jpeg"))
                try envelope.write(to: URL(fileURLWithPath: render + ".plist"))
            }
        }
        try execute(schema + rows(), in: library)
        if isRich { try writeSpecials(to: library, picture: picture) }
    }

    /// Returns an atom that makes a movie's bytes different from others.
    static func freeAtom(_ number: UInt64) -> Data {
        Data([0, 0, 0, 16] + Array("free".utf8))
            + withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }

    /// Runs SQL in the library's database, with the program `sqlite3`.
    package func execute(_ sql: String, in library: URL) throws {
        try ProcessRunner.sqlite(
            sql,
            in: library.appendingPathComponent("database/Photos.sqlite")
        )
    }

    /// Inserts a comment behind the start of a JPEG.
    static func marked(_ jpeg: Data, _ text: String) -> Data {
        let payload = Data(text.utf8)
        let length = UInt16(payload.count + 2)
        return jpeg.prefix(2) + Data([0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)])
            + payload + jpeg.dropFirst(2)
    }

    // MARK: - Database

    private var schema: String {
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
            Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (3, 'Asset', 0, \(assets)), (30, 'Album', 0, 9),
            (47, 'Keyword', 0, 2);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_METADATA VALUES (1, 'C0FFEE00-0000-4000-8000-00000000\(Self.hex(seed))',
            X'\(metadata)');
        CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID VARCHAR, ZKIND INTEGER,
            ZKINDSUBTYPE INTEGER, ZDIRECTORY VARCHAR, ZFILENAME VARCHAR, ZDATECREATED TIMESTAMP,
            ZADDEDDATE TIMESTAMP, ZMODIFICATIONDATE TIMESTAMP, ZFAVORITE INTEGER, ZHIDDEN INTEGER,
            ZTRASHEDSTATE INTEGER, ZTRASHEDDATE TIMESTAMP, ZLATITUDE FLOAT, ZLONGITUDE FLOAT,
            ZLOCATIONDATA BLOB, ZADJUSTMENTSSTATE INTEGER, ZADJUSTMENTTIMESTAMP TIMESTAMP,
            ZSAVEDASSETTYPE INTEGER, ZCLOUDBATCHPUBLISHDATE TIMESTAMP, ZAVALANCHEUUID VARCHAR,
            ZAVALANCHEPICKTYPE INTEGER, ZMEDIAGROUPUUID VARCHAR, ZSPATIALTYPE INTEGER,
            ZDEPTHTYPE INTEGER, ZLIBRARYSCOPESHARESTATE INTEGER, ZBUNDLESCOPE INTEGER);
        CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
            ZORIGINALFILENAME VARCHAR, ZTITLE VARCHAR, ZTIMEZONEOFFSET INTEGER,
            ZTIMEZONENAME VARCHAR, ZORIGINALFILESIZE INTEGER, ZORIGINALSTABLEHASH VARCHAR,
            ZORIGINALRESOURCECHOICE INTEGER, ZASSETDESCRIPTION INTEGER,
            ZUNMANAGEDADJUSTMENT INTEGER);
        CREATE INDEX Z_AdditionalAssetAttributes_asset ON ZADDITIONALASSETATTRIBUTES(ZASSET);
        CREATE TABLE ZASSETDESCRIPTION (Z_PK INTEGER PRIMARY KEY, ZLONGDESCRIPTION VARCHAR);
        CREATE TABLE ZUNMANAGEDADJUSTMENT (Z_PK INTEGER PRIMARY KEY,
            ZADJUSTMENTFORMATIDENTIFIER VARCHAR, ZADJUSTMENTFORMATVERSION VARCHAR);
        INSERT INTO ZUNMANAGEDADJUSTMENT VALUES (1, 'com.apple.photo', '1.5');
        CREATE TABLE ZKEYWORD (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR);
        INSERT INTO ZKEYWORD VALUES (1, 'Wedding'), (2, 'Zürich');
        CREATE TABLE Z_1KEYWORDS (Z_1ASSETATTRIBUTES INTEGER, Z_47KEYWORDS INTEGER,
            PRIMARY KEY (Z_1ASSETATTRIBUTES, Z_47KEYWORDS));
        CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZUUID VARCHAR, ZKIND INTEGER,
            ZTITLE VARCHAR, ZPARENTFOLDER INTEGER, Z_FOK_PARENTFOLDER INTEGER,
            ZTRASHEDSTATE INTEGER, ZCUSTOMSORTKEY INTEGER, ZCUSTOMSORTASCENDING INTEGER,
            ZCUSTOMKEYASSET INTEGER, ZCREATIONDATE TIMESTAMP);
        CREATE TABLE Z_30ASSETS (Z_30ALBUMS INTEGER, Z_3ASSETS INTEGER, Z_FOK_3ASSETS INTEGER,
            PRIMARY KEY (Z_30ALBUMS, Z_3ASSETS));
        CREATE TABLE ZINTERNALRESOURCE (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
            ZDATASTORESUBTYPE INTEGER, ZVERSION INTEGER, ZRESOURCETYPE INTEGER,
            ZLOCALAVAILABILITY INTEGER, ZREMOTEAVAILABILITY INTEGER, ZTRASHEDSTATE INTEGER);
        CREATE INDEX Z_InternalResource_asset ON ZINTERNALRESOURCE(ZASSET);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZFULLNAME VARCHAR);
        INSERT INTO ZPERSON VALUES (1, 'Ana <b>"M"</b> & Co');
        CREATE TABLE ZDETECTEDFACE (Z_PK INTEGER PRIMARY KEY, ZASSETFORFACE INTEGER,
            ZPERSONFORFACE INTEGER, ZCENTERX FLOAT, ZCENTERY FLOAT, ZSIZE FLOAT);
        CREATE INDEX Z_DetectedFace_asset ON ZDETECTEDFACE(ZASSETFORFACE);

        """
    }

    private static func hex(_ number: UInt64) -> String {
        String(format: "%04X", Int(number & 0xFFFF))
    }

    /// A binary property list with the version of the model.
    private var metadata: String {
        let list = try? PropertyListSerialization.data(
            fromPropertyList: ["PLModelVersion": model, "NSStoreType": "SQLite"],
            format: .binary,
            options: 0
        )
        return (list ?? Data()).map { String(format: "%02X", $0) }.joined()
    }

    private func rows() -> String {
        var sql = ""
        for index in 0..<assets {
            let uuid = uuid(index)
            let key = index + 1
            let date = 700_000_000.25 + Double(index) * 3600
            let state = isEdited(index) ? 2 : 0
            let place = index % 3 == 0 ? (46.5 + Double(index) / 1e4, 8.25) : (-180, -180)
            let isTrashed = index % 11 == 10
            sql += """
                INSERT INTO ZASSET (Z_PK, ZUUID, ZKIND, ZKINDSUBTYPE, ZDIRECTORY, ZFILENAME,
                    ZDATECREATED, ZADDEDDATE, ZMODIFICATIONDATE, ZFAVORITE, ZHIDDEN, ZTRASHEDSTATE,
                    ZTRASHEDDATE, ZLATITUDE, ZLONGITUDE, ZADJUSTMENTSSTATE, ZADJUSTMENTTIMESTAMP,
                    ZSAVEDASSETTYPE)
                VALUES (\(key), '\(uuid)', 0, \(isLive(index) ? 2 : 0), 'A', '\(uuid).jpeg', \(date),
                    \(date + 86_400), \(date + 90_000), \(index % 7 == 0 ? 1 : 0),
                    \(index % 13 == 12 ? 1 : 0), \(isTrashed ? 1 : 0),
                    \(isTrashed ? "\(date + 100_000)" : "NULL"), \(place.0), \(place.1), \(state),
                    \(state == 0 ? "NULL" : "\(date + 95_000)"), 3);
                INSERT INTO ZADDITIONALASSETATTRIBUTES (Z_PK, ZASSET, ZORIGINALFILENAME, ZTITLE,
                    ZTIMEZONEOFFSET, ZTIMEZONENAME, ZASSETDESCRIPTION, ZUNMANAGEDADJUSTMENT)
                VALUES (\(key), \(key), 'IMG_\(String(format: "%04d", index)).JPG',
                    \(index % 2 == 0 ? "'Title \(index)'" : "NULL"), 7200, 'Europe/Zurich',
                    \(index % 5 == 0 ? "\(key)" : "NULL"), \(state == 0 ? "NULL" : "1"));

                """
            if index % 5 == 0 {
                sql += "INSERT INTO ZASSETDESCRIPTION VALUES (\(key), 'Caption \(index)');\n"
            }
            if index % 6 == 0 {
                sql += "INSERT INTO Z_1KEYWORDS VALUES (\(key), 1), (\(key), 2);\n"
            }
            if index % 8 == 0 {
                sql += "INSERT INTO ZDETECTEDFACE VALUES (\(key), \(key), 1, 0.5, 0.25, 0.125);\n"
            }
        }
        for (index, kind) in [3999, 4000, 4000].enumerated() {
            let parent = index == 0 ? "NULL" : "1"
            sql += """
                INSERT INTO ZGENERICALBUM (Z_PK, ZUUID, ZKIND, ZTITLE, ZPARENTFOLDER,
                    Z_FOK_PARENTFOLDER, ZTRASHEDSTATE)
                VALUES (\(index + 1), '\(folder(index))', \(kind), 'Folder \(index)', \(parent),
                    \(index * 1024), 0);

                """
        }
        for album in 0..<albums {
            let key = 10 + album
            // Two albums share a title, which contains a slash.
            sql += """
                INSERT INTO ZGENERICALBUM (Z_PK, ZUUID, ZKIND, ZTITLE, ZPARENTFOLDER,
                    Z_FOK_PARENTFOLDER, ZTRASHEDSTATE, ZCUSTOMSORTKEY)
                VALUES (\(key), '\(self.album(album))', 2, 'Album/\(album / 2)', \(album % 2 + 2),
                    \(album), 0, 0);

                """
            for (place, member) in members(album).enumerated() {
                sql += "INSERT INTO Z_30ASSETS VALUES (\(key), \(member + 1), \(place * 512));\n"
            }
        }
        return sql
    }
}
