import Foundation
import GRDB
import LibraryService
import Logging
import PhotoLibrary
import PhotoModel
import Synchronization
import TestSupport
import WorkerClient
import WorkerProtocol

/// A library, a folder of files to import, and a prober that returns the facts in the files.
///
/// A file's bytes are the JSON of the facts that the prober returns, so each test states what a
/// camera wrote. Other bytes are not media.
final class ImportWorld: Sendable {
    let folder: TemporaryFolder
    let libraryPath: String
    let store: LibraryStore
    let prober: TableProber
    let importer: Importer
    let renditions = RecordingSink()
    let session: Int64

    /// The time at which everything is added.
    static let now = Date(timeIntervalSinceReferenceDate: 700_000_000)

    init(
        files: FileOperations = FileOperations(),
        prober: TableProber = TableProber(),
        existingLibrary: String? = nil
    ) throws {
        folder = try TemporaryFolder("photos-import")
        libraryPath = existingLibrary ?? folder.file("Test.photolibrary").path
        if existingLibrary == nil { try LibraryStore.create(at: libraryPath) }
        store = try LibraryStore.open(at: libraryPath, clock: { Self.now })
        self.prober = prober
        var configuration = ImportConfiguration()
        configuration.files = files
        configuration.timeZone = try Self.zone("America/New_York")
        importer = Importer(
            store: store,
            prober: prober,
            renditions: renditions,
            logger: Logger(label: "test"),
            configuration: configuration
        )
        session = try importer.beginImport(ImportSessionRequest(), author: "tests").session
    }

    static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw CocoaError(.featureUnsupported)
        }
        return zone
    }

    // MARK: - Files

    /// Writes a file that the prober accepts as media with these facts.
    @discardableResult
    func write(_ name: String, _ facts: MediaFacts) throws -> URL {
        let encoder = JSONEncoder()
        // Equal facts have equal bytes.
        encoder.outputFormatting = .sortedKeys
        return try folder.write(encoder.encode(facts), to: "card/" + name)
    }

    @discardableResult
    func write(_ name: String, text: String) throws -> URL {
        try folder.write(Data(text.utf8), to: "card/" + name)
    }

    func path(_ name: String) -> String { folder.file("card/" + name).path }

    /// Returns the file system's attributes of a file.
    func source(_ name: String) throws -> SourceFile {
        try Self.source(path: path(name))
    }

    static func source(path: String) throws -> SourceFile {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        return SourceFile(
            path: Array(path.utf8),
            size: Int64(status.st_size),
            modificationTime: Int64(status.st_mtim.tv_sec) * 1_000_000_000
                + Int64(status.st_mtim.tv_nsec),
            statusChangeTime: Int64(status.st_ctim.tv_sec) * 1_000_000_000
                + Int64(status.st_ctim.tv_nsec),
            inode: UInt64(status.st_ino),
            device: UInt64(status.st_dev)
        )
    }

    // MARK: - Importing

    /// Imports files in one batch.
    func importFiles(_ names: String...) throws -> [ImportOutcome] { try importFiles(names) }

    func importFiles(_ names: [String], verifiesDuplicates: Bool = false) throws -> [ImportOutcome]
    {
        try importFiles(paths: names.map(path), verifiesDuplicates: verifiesDuplicates)
    }

    func importFiles(paths: [String], verifiesDuplicates: Bool = false) throws -> [ImportOutcome] {
        let descriptors = try paths.map { path in
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw CocoaError(.fileReadNoPermission) }
            return Descriptor(owning: number)
        }
        let request = ImportFilesRequest(
            session: session,
            files: try paths.map { try Self.source(path: $0) },
            verifiesDuplicates: verifiesDuplicates
        )
        return try importer.importFiles(request, files: descriptors).outcomes
    }

    /// Makes every COMMIT that adds an asset fail, after its statements succeeded.
    func failCommits() throws {
        try store.write(author: "tests") { transaction in
            try transaction.database.execute(
                sql: """
                    CREATE TABLE broken (asset INTEGER REFERENCES asset(id)
                        DEFERRABLE INITIALLY DEFERRED);
                    CREATE TRIGGER breaks AFTER INSERT ON asset BEGIN
                        INSERT INTO broken VALUES (-1);
                    END
                    """
            )
        }
    }

    // MARK: - Queries

    /// Returns all assets, the oldest row first.
    func assets() throws -> [AssetRecord] {
        let ids = try store.read { try Int64.fetchAll($0, sql: "SELECT id FROM asset ORDER BY id") }
        return try store.write(author: "tests") { transaction in
            try ids.compactMap(transaction.asset(id:))
        }
    }

    func asset(_ outcome: ImportOutcome) throws -> AssetRecord? {
        try assets().first { $0.localIdentifier == outcome.localIdentifier }
    }

    /// Returns the resource types and file names of an asset, by type.
    func resources(of asset: AssetRecord) throws -> [String] {
        try store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT type, originalFilename FROM resource WHERE assetId = ? ORDER BY 1, 2",
                arguments: [asset.id]
            ).map { row in
                let type: Int = row[0]
                let name: String = row[1]
                return "\(ResourceType(rawValue: type).map { "\($0)" } ?? "?") \(name)"
            }
        }
    }

    /// Returns the paths of rows without a file of the right size and bytes, and of files without a
    /// row.
    func inconsistencies() throws -> [String] {
        try Self.inconsistencies(of: store)
    }

    static func inconsistencies(of store: LibraryStore) throws -> [String] {
        let rows = try store.read { database in
            try Row.fetchAll(database, sql: "SELECT path, size, sha256 FROM resource")
        }
        var findings: [String] = []
        var named: Set<String> = []
        for row in rows {
            let path: String = row[0]
            let size: Int = row[1]
            let digest: Data = row[2]
            named.insert(path)
            let data = FileManager.default.contents(atPath: store.bundle.absolutePath(of: path))
            guard let data else {
                findings.append("missing \(path)")
                continue
            }
            let hasher = SHA256Hasher()
            data.withUnsafeBytes { hasher.update($0) }
            if data.count != size || hasher.finish()?.bytes != Array(digest) {
                findings.append("wrong \(path)")
            }
        }
        for path in try originals(of: store) where !named.contains(path) {
            findings.append("leftover \(path)")
        }
        return findings
    }

    /// Returns the files under `originals/`, relative to the library's folder.
    static func originals(of store: LibraryStore) throws -> [String] {
        let root = store.bundle.originals
        return try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { $0.contains(".") }
            .map { "originals/" + $0 }
            .sorted()
    }

    /// Returns the content of the staging folder: one name per session.
    func stagingFolders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.bundle.staging)
    }
}

/// A prober that reads facts as JSON.
final class TableProber: MediaProber {
    /// Called before each answer, for tests that act during the import of a file.
    let onProbe: (@Sendable (ProbeRequest) -> Void)?
    let failure: WorkerError?
    private let names = Mutex<[String]>([])

    init(failure: WorkerError? = nil, onProbe: (@Sendable (ProbeRequest) -> Void)? = nil) {
        self.failure = failure
        self.onProbe = onProbe
    }

    /// The names of the probed files.
    var probed: [String] { names.withLock(\.self) }

    func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError) -> ProbeAnswer {
        if let failure { throw failure }
        onProbe?(request)
        names.withLock { $0.append(request.filename) }
        var data = Data(count: 1 << 20)
        let count = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        // The bytes after a line's end are inside the file, like a motion photo's movie.
        let line = data.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        guard let facts = try? JSONDecoder().decode(MediaFacts.self, from: line)
        else {
            return data.starts(with: Data("broken".utf8))
                ? .failed(reason: "The worker says that it is damaged.")
                : .unsupported(reason: "It is text.")
        }
        return .facts(facts, firstRendition: nil)
    }
}

extension TableProber {
    /// Returns gray for every file with facts.
    func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer {
        let answer = try probe(
            ProbeRequest(filename: "", renditionSide: side),
            descriptor: descriptor
        )
        let description = PixelBufferDescription(size: PixelSize(width: 4, height: 3))
        guard case .facts(let facts, _) = answer, let length = description.length,
            let memory = SealedMemory.make(
                length: length,
                { $0.initializeMemory(as: UInt8.self, repeating: 128).isEmpty == false }
            )
        else { return .failed(reason: "It has no pixels.") }
        return .pixels(
            DecodedFacts(
                format: facts.format,
                contentType: facts.contentType,
                fullSize: facts.displaySize ?? description.size,
                hasAlpha: false
            ),
            SealedPixels(description: description, owning: memory)
        )
    }
}

/// A sink that counts.
final class RecordingSink: FirstRenditionSink {
    private let stored = Mutex<[String]>([])
    func store(pixels: PixelMemory, assetUUID: String, contentVersion: Int) {
        stored.withLock { $0.append(assetUUID) }
    }
}

extension MediaFacts {
    /// Returns the facts of a still from a camera at a place and time.
    static func still(
        _ format: MediaFormat = .jpeg,
        at time: String? = "2023:07:15 12:30:45",
        offset: String? = nil,
        content: String? = nil,
        burst: String? = nil,
        salt: String = ""
    ) -> MediaFacts {
        var facts = MediaFacts(
            format: format,
            contentType: format == .raw ? "com.adobe.raw-image" : "public.\(format.rawValue)"
        )
        facts.storedSize = PixelSize(width: 40, height: 30)
        facts.displaySize = PixelSize(width: 40, height: 30)
        facts.camera.make = "Maker"
        facts.camera.model = "One"
        if let time {
            facts.dates = [WrittenDate(source: .exifOriginal, text: time, offset: offset)]
        }
        facts.contentIdentifier = content
        facts.burstIdentifier = burst
        facts.warnings = salt.isEmpty ? [] : [salt]
        return facts
    }

    /// Returns the facts of a movie of two seconds.
    static func movie(content: String? = nil, frameRate: Double = 30, salt: String = "")
        -> MediaFacts
    {
        var facts = MediaFacts(format: .mov, contentType: "com.apple.quicktime-movie")
        facts.displaySize = PixelSize(width: 16, height: 9)
        var movie = MovieSummary(duration: 2)
        movie.frameRate = frameRate
        movie.videoCodec = "hevc"
        facts.movie = movie
        facts.contentIdentifier = content
        facts.dates = [WrittenDate(source: .movieHeader, text: "2023:07:15 16:30:45")]
        facts.warnings = salt.isEmpty ? [] : [salt]
        return facts
    }

    /// Returns the facts of a sidecar.
    ///
    /// The salt makes its bytes unique.
    static func sidecar(_ format: MediaFormat, title: String? = nil, salt: String = "")
        -> MediaFacts
    {
        var facts = MediaFacts(
            format: format,
            contentType: format == .aae
                ? "com.apple.photos.apple-adjustment-envelope" : "com.adobe.xmp"
        )
        facts.title = title
        facts.warnings = salt.isEmpty ? [] : [salt]
        return facts
    }
}
