import Foundation
import Glibc
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// The members of albums, which a worker sends in parts, so that memory never holds those of all.
@Suite(.timeLimit(.minutes(2))) struct MemberBatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func membersOfManyAlbumsComeInManyBatches() throws {
        let (repeats, albums) = (2000, 3)
        var library = AppleLibrary()
        library.assets = 12
        library.albums = albums
        let source = folder.file("Mac.photoslibrary")
        try library.write(to: source)
        try library.execute(
            """
            CREATE TABLE copy AS SELECT * FROM Z_30ASSETS;
            DROP TABLE Z_30ASSETS;
            CREATE TABLE Z_30ASSETS AS
                WITH RECURSIVE n (i) AS (
                    SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(repeats - 1)
                )
                SELECT Z_30ALBUMS, Z_3ASSETS, Z_FOK_3ASSETS + i * 1000000 AS Z_FOK_3ASSETS
                FROM copy, n;
            DROP TABLE copy;
            """,
            in: source
        )
        // The last connection has emptied the log.
        let log = source.appending(path: "database/Photos.sqlite-wal").path
        #expect(!FileManager.default.fileExists(atPath: log))
        let file = open(source.appending(path: "database/Photos.sqlite").path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let reader = try ForeignLibrary(pool: .shared, database: file, log: nil)
        var counts: [Int] = []
        var members: [[String]] = []
        var last: String?
        while true {
            let batch = try reader.next(ForeignBatch.maximumRecords)
            var count = 0
            for case .members(let part) in batch.records {
                #expect(part.assets.count <= ForeignLimits.members)
                if part.collection != last { members.append([]) }
                last = part.collection
                members[members.count - 1] += part.assets
                count += part.assets.count
            }
            counts.append(count)
            if batch.isLast { break }
        }
        let expected = (0..<albums).map { album in library.members(album).map { library.uuid($0) } }
        #expect(members.count == albums)
        for wanted in expected {
            let found = try #require(members.first { $0.first == wanted.first })
            #expect(found.count == wanted.count * repeats)
            #expect(Array(found.prefix(wanted.count)) == wanted)
            #expect(Array(found.suffix(wanted.count)) == wanted)
        }
        #expect(counts.allSatisfy { $0 < 2 * ForeignLimits.members }, "\(counts)")
    }
}
