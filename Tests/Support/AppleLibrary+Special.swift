internal import Foundation
internal import PhotoModel
internal import SamplePhotos

extension AppleLibrary {
    /// Assets that each have one property that few libraries have; only in rich libraries.
    package enum Special: Int, CaseIterable, Sendable {
        case burstKey, burstPick, burstRest
        case rawShown, rawBeside
        case altitude, altitudeByHand, altitudeOfZero, altitudeUncertain
        case placeNames, comments
        case cameraAdjustments, cameraAdjustmentsBesideEdit
        case slowMotion, timelapse, cinematic, screenRecording, spatial, panorama, screenshot
        case zoneFirst, zoneInferred, zoneExtended, zoneOfExif, zoneUnknown
        case sharedLibrary, sharedWithYou, shared, sharedMovie
        case adjustmentsMissing, impossibleDate

        package var isVideo: Bool {
            [.slowMotion, .timelapse, .cinematic, .screenRecording, .sharedMovie].contains(self)
        }
        package var isShared: Bool { self == .shared || self == .sharedMovie }
        package var title: String { "Special \(Self.allCases.count - rawValue)" }
        /// The date in seconds since 2001; those of neighbors are in no order.
        package var date: Double { 710_000_000 + Double(rawValue * 7 % 31) * 86_400 }
        fileprivate var key: Int { 1000 + rawValue }
    }

    /// The collections of rich libraries.
    package enum SpecialCollection: Int, CaseIterable, Sendable {
        case byDate, byTitle, byTitleDescending, project, sharedAlbum, deleted, importSession,
            smartAlbum

        fileprivate var kind: Int {
            switch self {
            case .byDate, .byTitle, .byTitleDescending, .deleted: 2
            case .project: 1508
            case .sharedAlbum: 1505
            case .importSession: 1506
            case .smartAlbum: 1507
            }
        }
        /// The members in the order of the database.
        package var members: [Special] {
            switch self {
            case .byDate, .byTitle, .byTitleDescending:
                [.zoneFirst, .burstKey, .panorama, .comments, .rawShown]
            case .project: [.screenshot, .altitude]
            case .sharedAlbum: [.sharedMovie, .shared]
            case .deleted, .importSession, .smartAlbum: [.panorama]
            }
        }
    }

    /// The names in the archive of `Special.placeNames`, from the most precise.
    package static let placeNames = ["St James's Park", "London"]
    package static let comment = "Lovely <place>"
    package static let burst = "BURST-1"

    /// The identifier of a special asset.
    package func uuid(_ special: Special) -> String { uuid(0xC, special.rawValue) }
    /// The identifier of a special collection.
    package func uuid(_ collection: SpecialCollection) -> String { uuid(0xD, collection.rawValue) }

    /// Returns the path of a special asset's original, relative to the library.
    package func original(_ special: Special) -> String {
        let name = filename(special)
        if special == .sharedMovie {
            return "scopes/cloudsharing/data/C/\(uuid(special)).medium.MP4"
        }
        switch special {
        case .shared: return "scopes/cloudsharing/data/C/" + name
        case .sharedWithYou: return "scopes/syndication/originals/C/" + name
        default: return "originals/C/" + name
        }
    }

    /// Returns the path of a file beside a special asset's original.
    package func beside(_ special: Special, _ end: String) -> String {
        "originals/C/" + uuid(special) + end
    }

    private func filename(_ special: Special) -> String {
        uuid(special) + (special.isVideo ? ".mov" : ".jpeg")
    }

    /// Writes the files of the special assets and their rows.
    func writeSpecials(to library: URL, picture: Data) throws {
        let small = PixelSize(width: 64, height: 48)
        let movie = try SampleFile.quickTime(SampleMovie(size: small, duration: 0.2))
        let envelope = try SampleFile.aae()
        func write(_ data: Data, _ path: String) throws {
            let file = library.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        }
        for special in Special.allCases {
            let mark = "special \(seed) \(special)"
            let data =
                special.isVideo
                ? movie + Self.freeAtom(UInt64(special.key)) : Self.marked(picture, mark)
            try write(data, original(special))
            let render = "resources/renders/C/" + uuid(special)
            switch special {
            case .rawShown, .rawBeside:
                let raw = SampleFile.dng(SamplePhoto(size: small))
                try write(raw + Data(mark.utf8), beside(special, "_4.dng"))
            case .cameraAdjustments:
                try write(envelope, beside(special, "_5.aae"))
            case .cameraAdjustmentsBesideEdit:
                let own = try SampleFile.aae(formatIdentifier: "com.apple.camera")
                try write(own, beside(special, "_5.aae"))
                try write(Self.marked(picture, "render " + mark), render + "_1_201_a.jpeg")
                try write(envelope, render + ".plist")
            case .slowMotion: try write(envelope, render + ".plist")
            case .adjustmentsMissing:
                try write(Self.marked(picture, "render " + mark), render + "_1_201_a.jpeg")
            default: break
            }
        }
        try write(Data("nobody's".utf8), "scopes/syndication/orphan.jpg")
        try execute(specialSchema + specialRows, in: library)
    }

    // MARK: - Database

    private var specialSchema: String {
        """
        ALTER TABLE ZADDITIONALASSETATTRIBUTES ADD COLUMN ZINFERREDTIMEZONEOFFSET INTEGER;
        ALTER TABLE ZADDITIONALASSETATTRIBUTES ADD COLUMN ZEXIFTIMESTAMPSTRING VARCHAR;
        ALTER TABLE ZADDITIONALASSETATTRIBUTES ADD COLUMN ZREVERSELOCATIONDATA BLOB;
        ALTER TABLE ZINTERNALRESOURCE ADD COLUMN ZFILESYSTEMVOLUME INTEGER;
        CREATE TABLE ZFILESYSTEMVOLUME (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
        CREATE TABLE ZEXTENDEDATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
            ZTIMEZONEOFFSET INTEGER);
        CREATE TABLE ZCLOUDSHAREDCOMMENT (Z_PK INTEGER PRIMARY KEY, ZCOMMENTEDASSET INTEGER,
            ZCOMMENTTEXT VARCHAR);

        """
    }

    private var specialRows: String {
        var sql = ""
        for special in Special.allCases {
            let key = special.key
            var asset = [
                "Z_PK": "\(key)", "ZUUID": "'\(uuid(special))'",
                "ZKIND": special.isVideo ? "1" : "0", "ZKINDSUBTYPE": "0", "ZDIRECTORY": "'C'",
                "ZFILENAME": "'\(filename(special))'", "ZDATECREATED": "\(special.date)",
                "ZADDEDDATE": "720000000", "ZMODIFICATIONDATE": "720000100", "ZFAVORITE": "0",
                "ZHIDDEN": "0", "ZTRASHEDSTATE": "0", "ZLATITUDE": "-180", "ZLONGITUDE": "-180",
                "ZADJUSTMENTSSTATE": "0", "ZSAVEDASSETTYPE": "3",
            ]
            var attributes = [
                "Z_PK": "\(key)", "ZASSET": "\(key)", "ZORIGINALFILENAME": "'\(special).JPG'",
                "ZTITLE": "'\(special.title)'", "ZTIMEZONEOFFSET": "7200",
                "ZTIMEZONENAME": "'Europe/Zurich'",
            ]
            sql += change(special, &asset, &attributes)
            for (table, row) in [("ZASSET", asset), ("ZADDITIONALASSETATTRIBUTES", attributes)] {
                let columns = row.keys.sorted()
                sql += """
                    INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                    VALUES (\(columns.compactMap { row[$0] }.joined(separator: ", ")));

                    """
            }
        }
        for collection in SpecialCollection.allCases {
            let key = 100 + collection.rawValue
            let rules: [SpecialCollection: Int] = [.byDate: 1, .byTitle: 5, .byTitleDescending: 5]
            let sort = rules[collection] ?? 0
            let isDescending = [.byDate, .byTitleDescending].contains(collection)
            sql += """
                INSERT INTO ZGENERICALBUM (Z_PK, ZUUID, ZKIND, ZTITLE, ZPARENTFOLDER,
                    Z_FOK_PARENTFOLDER, ZTRASHEDSTATE, ZCUSTOMSORTKEY, ZCUSTOMSORTASCENDING,
                    ZCUSTOMKEYASSET)
                VALUES (\(key), '\(uuid(collection))', \(collection.kind), '\(collection)', 1,
                    \(5000 + key), \(collection == .deleted ? 1 : 0), \(sort),
                    \(isDescending ? 0 : 1),
                    \(collection == .byDate ? "\(Special.comments.key)" : "NULL"));

                """
            for (place, member) in collection.members.enumerated() {
                sql += "INSERT INTO Z_30ASSETS VALUES (\(key), \(member.key), \(place * 512));\n"
            }
        }
        return sql
    }

    /// Sets what makes an asset special; returns further rows.
    private func change(
        _ special: Special,
        _ asset: inout [String: String],
        _ attributes: inout [String: String]
    ) -> String {
        func place(_ altitude: Double, accuracy: Double) {
            (asset["ZLATITUDE"], asset["ZLONGITUDE"]) = ("46.5", "8.25")
            let numbers = [46.5, 8.25, altitude, 5, accuracy, -1, -1, special.date]
            let bytes = numbers.flatMap {
                withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init)
            }
            asset["ZLOCATIONDATA"] = "X'" + bytes.map { String(format: "%02X", $0) }.joined() + "'"
        }
        func resource(_ type: Int) -> String {
            "INSERT INTO ZINTERNALRESOURCE (ZASSET, ZDATASTORESUBTYPE) VALUES"
                + " (\(special.key), \(type));\n"
        }
        switch special {
        case .burstKey, .burstPick, .burstRest:
            asset["ZAVALANCHEUUID"] = "'\(Self.burst)'"
            let pick = [Special.burstKey: 20, .burstPick: 8][special] ?? 2
            asset["ZAVALANCHEPICKTYPE"] = "\(pick)"
        case .rawShown:
            attributes["ZORIGINALRESOURCECHOICE"] = "1"
            return resource(17)
        case .rawBeside:
            attributes["ZORIGINALRESOURCECHOICE"] = "0"
            return resource(17)
        case .altitude: place(431.5, accuracy: 4)
        case .altitudeByHand: place(0, accuracy: -1)
        case .altitudeOfZero: place(0, accuracy: 0)
        case .altitudeUncertain: place(431.5, accuracy: -1)
        case .placeNames: attributes["ZREVERSELOCATIONDATA"] = "X'\(Self.placeArchive)'"
        case .comments:
            return """
                INSERT INTO ZCLOUDSHAREDCOMMENT VALUES (1, \(special.key), '\(Self.comment)'),
                    (2, \(special.key), '');

                """
        case .cameraAdjustmentsBesideEdit, .adjustmentsMissing:
            asset["ZADJUSTMENTSSTATE"] = "2"
            asset["ZADJUSTMENTTIMESTAMP"] = "720000050"
            attributes["ZUNMANAGEDADJUSTMENT"] = "1"
        case .slowMotion:
            asset["ZADJUSTMENTSSTATE"] = "3"
            asset["ZKINDSUBTYPE"] = "101"
        case .timelapse: asset["ZKINDSUBTYPE"] = "102"
        case .screenRecording: asset["ZKINDSUBTYPE"] = "103"
        case .cinematic: asset["ZDEPTHTYPE"] = "2"
        case .spatial: asset["ZSPATIALTYPE"] = "1"
        case .panorama: asset["ZKINDSUBTYPE"] = "1"
        case .screenshot: asset["ZKINDSUBTYPE"] = "10"
        case .zoneFirst:
            attributes["ZINFERREDTIMEZONEOFFSET"] = "3600"
            return extendedZone(special, -25_200)
        case .zoneInferred:
            attributes["ZTIMEZONEOFFSET"] = "NULL"
            attributes["ZINFERREDTIMEZONEOFFSET"] = "3600"
            return extendedZone(special, -25_200)
        case .zoneExtended:
            attributes["ZTIMEZONEOFFSET"] = "NULL"
            return extendedZone(special, -25_200)
        case .zoneOfExif:
            attributes["ZTIMEZONEOFFSET"] = "NULL"
            let wall = Date(timeIntervalSinceReferenceDate: special.date + 20_700)
            let text = wall.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
                .replacing("-", with: ":").replacing("T", with: " ").dropLast()
            attributes["ZEXIFTIMESTAMPSTRING"] = "'\(text)'"
        case .zoneUnknown:
            attributes["ZTIMEZONEOFFSET"] = "NULL"
            attributes["ZTIMEZONENAME"] = "NULL"
        case .sharedLibrary: asset["ZLIBRARYSCOPESHARESTATE"] = "1"
        case .sharedWithYou: asset["ZBUNDLESCOPE"] = "3"
        case .shared, .sharedMovie:
            asset["ZCLOUDBATCHPUBLISHDATE"] = "720000000"
            asset["ZBUNDLESCOPE"] = "2"
        case .impossibleDate: asset["ZDATECREATED"] = "123456789012345"
        case .cameraAdjustments: break
        }
        return ""
    }

    private func extendedZone(_ special: Special, _ offset: Int) -> String {
        "INSERT INTO ZEXTENDEDATTRIBUTES VALUES (\(special.key), \(special.key), \(offset));\n"
    }

    /// A keyed archive of Photos' reverse geocoding, as a binary property list.
    private static let placeArchive = """
        62706C6973743030D401020304050630335924617263686976657258246F626A656374735424746F7058\
        2476657273696F6E5F100F4E534B657965644172636869766572AA07080D11171F2025262D55246E756C\
        6CD2090A0B0C5624636C617373576D61704974656D80098002D2090E0F105F1010736F72746564506C61\
        6365496E666F7380098003D2091213145A4E532E6F626A656374738008A2151680048006D40918191A1B\
        1C1D1E5461726561546E616D6559706C616365547970658009230000000000000000800510085F100F53\
        74204A616D65732773205061726BD40918191A21222324800923401400000000000080071004564C6F6E\
        646F6ED22728292A5824636C61737365735A24636C6173736E616D65A32A2B2C5E4E534D757461626C65\
        4172726179574E534172726179584E534F626A656374D227282E2FA22F2C5F100F504C52657647656F4D\
        61704974656DD1313254726F6F74800112000186A000080011001B0024002900320044004F0055005A00\
        610069006B006D0072008500870089008E0099009B009E00A000A200AB00B000B500BF00C100CA00CC00\
        CE00E000E900EB00F400F600F800FF0104010D0118011C012B0133013C0141014401560159015E016000\
        00000000000201000000000000003400000000000000000000000000000165
        """
}
