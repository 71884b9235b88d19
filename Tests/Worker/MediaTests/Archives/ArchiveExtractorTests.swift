import Foundation
import Media
import TestSupport
import Testing
import WorkerProtocol

/// Archives that another program wrote, read in this process.
@Suite(.timeLimit(.minutes(2))) struct ArchiveExtractorTests {
    /// A problem with an archive or with one of its entries.
    private typealias Extracted = Result<Data, ArchiveProblem>

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-archives") }

    /// The files in the archives, among them an empty one and names beyond ASCII.
    private static let files: [String: Data] = [
        "Takeout/a.jpg": noise(90_000, 1), "Takeout/ü/b.jpg": noise(1, 2),
        "Takeout/empty.jpg": Data(), "Takeout/zeros.bin": Data(count: 600_000),
        "Takeout/" + String(repeating: "long/", count: 40) + "c.jpg": noise(513, 3),
        "Takeout/a.jpg.json": Data(#"{"title":"a.jpg","photoTakenTime":{"timestamp":"5"}}"#.utf8),
        "Takeout/large.json": Data(count: 1_100_000),
    ]

    /// Bytes that compress, but not to nothing.
    private static func noise(_ count: Int, _ seed: UInt32) -> Data {
        var value = seed
        return Data(
            (0..<count).map { _ in
                value = value &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: value >> 24) & 0x3f
            }
        )
    }

    /// Has Python write the files into an archive.
    private func archive(_ script: String) throws -> URL {
        let source = folder.file("source")
        for (name, data) in Self.files { try folder.write(data, to: "source/\(name)") }
        let target = folder.file("archive")
        let output = try ProcessRunner.run(
            "python3",
            ["-c", "import sys, os, tarfile, zipfile\n" + script, source.path, target.path]
        )
        try #require(output.status == 0, "\(output.errorText)")
        return target
    }

    private func tape(_ format: String) throws -> URL {
        try archive(
            """
            with tarfile.open(sys.argv[2], "w:gz", format=tarfile.\(format)) as tape:
                tape.add(sys.argv[1] + "/Takeout", "Takeout")
            """
        )
    }

    private func packed(_ method: String) throws -> URL {
        try archive(
            """
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.\(method)) as zip:
                for folder, _, names in os.walk(sys.argv[1]):
                    for name in names:
                        path = os.path.join(folder, name)
                        zip.write(path, os.path.relpath(path, sys.argv[1]))
            """
        )
    }

    /// The pages of an archive's listing, up to the first problem.
    private struct Listing {
        var items: [ArchiveItem] = []
        var pages = 0
        var problem: String?
        var verified: Int64 = 0
        var isDamaged = false
    }

    private func listing(_ file: FileHandle) throws -> Listing {
        var cursor: ArchiveCursor? = .start
        var listing = Listing()
        while let next = cursor, listing.problem == nil {
            let page = try ArchiveExtractor.page(next, of: file.fileDescriptor)
            listing.items += page.items
            listing.pages += 1
            (listing.problem, listing.isDamaged) = (page.problem, page.isDamaged)
            listing.verified = max(listing.verified, page.verified ?? 0)
            cursor = page.next
        }
        return listing
    }

    private func listing(_ data: Data) throws -> Listing {
        try listing(FileHandle(forReadingFrom: folder.write(data, to: "listed")))
    }

    private func list(_ file: FileHandle) throws -> (items: [ArchiveItem], problem: String?) {
        let found = try listing(file)
        return (found.items, found.problem)
    }

    /// Extracts an entry in steps, each of which continues the last one.
    private func extract(_ entry: ArchiveEntry, _ file: FileHandle) -> Extracted {
        var bytes = Data()
        var position: InflatePosition?
        if case .tar = entry.place { position = InflatePosition(input: 0, isAtHeader: true) }
        var done: Int64 = 0
        return Extracted { () throws(ArchiveProblem) in
            repeat {
                let step = try ArchiveExtractor.extract(
                    ArchiveExtraction(entry: entry, position: position, done: done),
                    from: file.fileDescriptor
                ) { part in
                    bytes.append(contentsOf: part)
                    return true
                }
                (done, position) = (step.done, step.position)
            } while done < entry.size
            return bytes
        }
    }

    private func entries(_ items: [ArchiveItem]) -> [ArchiveEntry] {
        items.compactMap { if case .file(let entry, _) = $0 { entry } else { nil } }
    }

    private func expectFiles(_ url: URL) throws {
        let file = try FileHandle(forReadingFrom: url)
        let (items, problem) = try list(file)
        #expect(problem == nil)
        let found = entries(items)
        #expect(found.map(\.name).sorted() == Self.files.keys.sorted())
        for entry in found {
            #expect(try extract(entry, file).get() == Self.files[entry.name], "\(entry.name)")
        }
        // Descriptions are read with the listing, unless they are too long to be any.
        for case .file(let entry, let reading) in items {
            switch (entry.name, reading) {
            case ("Takeout/a.jpg.json", .facts(let facts)):
                #expect(facts.kind == .asset && facts.takenSeconds == 5)
            case ("Takeout/large.json", .failed(let reason)): #expect(reason.contains("1 MB"))
            default: #expect(reading == nil, "\(entry.name)")
            }
        }
    }

    @Test(arguments: ["GNU_FORMAT", "PAX_FORMAT"]) func tapesHaveTheirFiles(format: String) throws {
        try expectFiles(tape(format))
    }

    @Test(arguments: ["ZIP_STORED", "ZIP_DEFLATED"]) func zipsHaveTheirFiles(method: String) throws
    {
        try expectFiles(packed(method))
    }

    /// Without the directory at its end, the entries' own headers are read.
    @Test(arguments: ["ZIP_STORED", "ZIP_DEFLATED"])
    func aTruncatedZIPHasTheFilesBeforeItsEnd(method: String) throws {
        let url = try packed(method)
        let whole = try Data(contentsOf: url)
        let directory = try #require(whole.lastRange(of: Data([0x50, 0x4b, 1, 2])))
        let cut = try folder.write(whole.prefix(directory.lowerBound - 30_000), to: "cut")
        let file = try FileHandle(forReadingFrom: cut)
        let (items, problem) = try list(file)
        #expect(problem?.contains("truncated") == true || problem?.contains("damaged") == true)
        for entry in entries(items) {
            let content = try #require(Self.files[entry.name])
            #expect(try extract(entry, file).get() == content, "\(entry.name)")
        }
    }

    /// Archives of programs that write in one pass state sizes behind the bytes only.
    @Test func aStreamedZIPIsReadWithoutItsDirectory() throws {
        let url = try archive(
            """
            class Pipe:
                def __init__(self, file): self.file = file
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            with open(sys.argv[2], "wb") as file:
                with zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED) as zip:
                    zip.write(sys.argv[1] + "/Takeout/a.jpg", "a.jpg")
                    zip.write(sys.argv[1] + "/Takeout/ü/b.jpg", "b.jpg")
            """
        )
        let whole = try Data(contentsOf: url)
        let directory = try #require(whole.firstRange(of: Data([0x50, 0x4b, 1, 2])))
        let cut = try folder.write(whole[..<(directory.lowerBound + 20)], to: "cut")
        for url in [url, cut] {
            let file = try FileHandle(forReadingFrom: url)
            let found = entries(try list(file).items)
            #expect(found.map(\.name) == ["a.jpg", "b.jpg"])
            for (entry, name) in zip(found, ["Takeout/a.jpg", "Takeout/ü/b.jpg"]) {
                #expect(try extract(entry, file).get() == Self.files[name])
            }
        }
    }

    /// No byte of an entry is passed on as whole if it differs from the one that was packed.
    @Test(arguments: [true, false]) func damageIsNoticed(isTape: Bool) throws {
        let url = isTape ? try tape("GNU_FORMAT") : try packed("ZIP_DEFLATED")
        let whole = try Data(contentsOf: url)
        var isDamageSeen = false
        for place in stride(from: 12, to: whole.count, by: whole.count / 15) {
            var bytes = whole
            bytes[place] ^= 0x5a
            let file = try FileHandle(forReadingFrom: folder.write(bytes, to: "damaged"))
            guard let found = try? listing(file) else { continue }
            isDamageSeen = isDamageSeen || found.problem != nil
            for entry in entries(found.items) {
                // The checksum of a tape is at its end, and read with the listing.
                guard entry.isVerified(by: found.verified) else {
                    let isTruncated = found.problem?.contains("truncated") == true
                    #expect(found.isDamaged || isTruncated, "\(place): \(entry.name)")
                    continue
                }
                switch extract(entry, file) {
                case .success(let data):
                    #expect(Self.files[entry.name] == nil || data == Self.files[entry.name])
                case .failure: isDamageSeen = true
                }
            }
        }
        #expect(isDamageSeen)
    }

    /// A tape archive whose bytes are stored, as deflate stores those that it cannot compress.
    private func storedTape() throws -> Data {
        try Data(
            contentsOf: archive(
                """
                with tarfile.open(sys.argv[2], "w:gz", compresslevel=0) as tape:
                    tape.add(sys.argv[1] + "/Takeout", "Takeout")
                """
            )
        )
    }

    /// Altered bytes that are stored are no error until the checksum at the end.
    @Test func noFileOfATapeWithAWrongChecksumIsVerified() throws {
        var tape = try storedTape()
        let sound = try listing(tape)
        #expect(sound.problem == nil && !sound.isDamaged)
        #expect(entries(sound.items).count == Self.files.count)
        #expect(entries(sound.items).allSatisfy { $0.isVerified(by: sound.verified) })
        let photo = try #require(Self.files["Takeout/a.jpg"])
        let place = try #require(tape.firstRange(of: photo.prefix(100)))
        tape[place.lowerBound] ^= 1
        let found = try listing(tape)
        #expect(found.problem?.contains("checksum") == true && found.isDamaged)
        #expect(entries(found.items).count == Self.files.count)
        #expect(!entries(found.items).contains { $0.isVerified(by: found.verified) })
    }

    /// The bytes before the end of a truncated archive may all be right, which nothing shows.
    @Test func aTruncatedTapeIsNeitherVerifiedNorDamaged() throws {
        let found = try listing(storedTape().dropLast(600))
        #expect(found.problem?.contains("truncated") == true && !found.isDamaged)
        #expect(entries(found.items).count == Self.files.count)
        #expect(!entries(found.items).contains { $0.isVerified(by: found.verified) })
    }

    @Test(arguments: [1, 2])
    func aWrongChecksumConcernsTheFilesOfItsMember(_ member: Int) throws {
        let url = try archive(
            """
            import gzip, io
            data = io.BytesIO()
            with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as tape:
                tape.add(sys.argv[1] + "/Takeout/a.jpg", "1.jpg")
                middle = tape.offset
                tape.add(sys.argv[1] + "/Takeout/a.jpg", "2.jpg")
            whole = data.getvalue()
            with open(sys.argv[2], "wb") as file:
                for part in [whole[:middle], whole[middle:]]:
                    file.write(gzip.compress(part, 0))
            """
        )
        var tape = try Data(contentsOf: url)
        let start = try #require(Self.files["Takeout/a.jpg"]).prefix(100)
        let found = member == 1 ? tape.firstRange(of: start) : tape.lastRange(of: start)
        let place = try #require(found)
        tape[place.lowerBound] ^= 1
        let damaged = try listing(tape)
        #expect(damaged.problem?.contains("checksum") == true && damaged.isDamaged)
        let verified = entries(damaged.items).filter { $0.isVerified(by: damaged.verified) }
        #expect(verified.map(\.name) == (member == 1 ? [] : ["1.jpg"]))
        #expect(entries(damaged.items).count == member)
    }

    /// What follows the last entry is read in pages, too, up to the checksum.
    @Test func theChecksumBehindMuchPaddingIsRead() throws {
        let url = try archive(
            """
            import gzip
            with tarfile.open(sys.argv[2] + ".tar", "w") as tape:
                tape.add(sys.argv[1] + "/Takeout/a.jpg", "a.jpg")
            with gzip.open(sys.argv[2], "wb", 1) as file:
                with open(sys.argv[2] + ".tar", "rb") as tape: file.write(tape.read())
                for _ in range(300): file.write(bytes(1 << 20))
            """
        )
        var tape = try Data(contentsOf: url)
        let sound = try listing(tape)
        #expect(sound.problem == nil && sound.pages > 1 && sound.verified > 300 << 20)
        #expect(entries(sound.items).map(\.name) == ["a.jpg"])
        tape[tape.count - 8] ^= 1
        let damaged = try listing(tape)
        #expect(damaged.problem?.contains("checksum") == true && damaged.isDamaged)
        #expect(damaged.verified == 0 && entries(damaged.items).map(\.name) == ["a.jpg"])
    }

    @Test func whatCannotBeTakenIsRefusedWithAReason() throws {
        let url = try archive(
            """
            with tarfile.open(sys.argv[2], "w:gz") as tape:
                for name, kind in [("link", tarfile.SYMTYPE), ("device", tarfile.CHRTYPE),
                                   ("pipe", tarfile.FIFOTYPE), ("../up.jpg", tarfile.REGTYPE),
                                   ("/root.jpg", tarfile.REGTYPE), ("good.jpg", tarfile.REGTYPE),
                                   ("folder", tarfile.DIRTYPE)]:
                    entry = tarfile.TarInfo(name)
                    entry.type = kind
                    entry.mtime = 1_600_000_000
                    entry.linkname = "/etc/passwd" if kind == tarfile.SYMTYPE else ""
                    tape.addfile(entry)
            """
        )
        let (items, problem) = try list(FileHandle(forReadingFrom: url))
        #expect(problem == nil)
        #expect(entries(items).map(\.name) == ["good.jpg"])
        #expect(entries(items).first?.modificationTime == 1_600_000_000)
        let refused = items.compactMap { item -> [String]? in
            if case .refused(let name, let reason) = item { [name, reason] } else { nil }
        }
        #expect(refused.map { $0[0] } == ["link", "device", "pipe", "../up.jpg", "/root.jpg"])
        #expect(refused.prefix(3).allSatisfy { $0[1].contains("not a regular file") })
        #expect(refused[3][1].contains("leaves the archive") && refused[4][1].contains("absolute"))
    }

    /// The numbers of archives above 4 GB are in records of their own.
    @Test func largeArchivesHaveTheirFiles() throws {
        var zip = ZIPWriter()
        let content = Self.noise(3_000, 7)
        try zip.add("stored.jpg", content, isLarge: true)
        try zip.add("deflated.jpg", content, isDeflated: true, isLarge: true)
        let whole = zip.data(isLarge: true)
        let file = try FileHandle(forReadingFrom: folder.write(whole, to: "large.zip"))
        let (items, problem) = try list(file)
        #expect(problem == nil && entries(items).map(\.name) == ["stored.jpg", "deflated.jpg"])
        for entry in entries(items) { #expect(try extract(entry, file).get() == content) }
        // Without the directory, the sizes are in the entries' own headers.
        let directory = try #require(whole.firstRange(of: Data([0x50, 0x4b, 1, 2])))
        let cut = try folder.write(whole[..<(directory.lowerBound + 20)], to: "cut.zip")
        let part = try FileHandle(forReadingFrom: cut)
        #expect(entries(try list(part).items).map(\.size) == [3_000, 3_000])
        // The record at the end names the volume that it is on.
        var split = whole
        let end = try #require(whole.lastRange(of: Data([0x50, 0x4b, 6, 6])))
        split[end.lowerBound + 16] = 1
        let volume = try FileHandle(forReadingFrom: folder.write(split, to: "split.zip"))
        let error = #expect(throws: ArchiveProblem.self) { try list(volume) }
        #expect(error?.reason.contains("one volume") == true)
    }

    @Test func linksInZIPsAreRefused() throws {
        var zip = ZIPWriter()
        try zip.add("link", Data("/etc/passwd".utf8), mode: 0o120777)
        try zip.add("wrong.jpg", Self.noise(500, 3), isDeflated: true, crc: 7)
        let file = try FileHandle(forReadingFrom: folder.write(zip.data(), to: "a.zip"))
        let items = try list(file).items
        guard case .refused("link", let reason)? = items.first,
            case .failure(let problem)? = entries(items).first.map({ extract($0, file) })
        else {
            Issue.record("\(items)")
            return
        }
        #expect(reason.contains("not a regular file") && problem.reason.contains("checksum"))
    }

    /// An archive may begin with many folders.
    @Test func foldersAreNoDamage() throws {
        let url = try archive(
            """
            with tarfile.open(sys.argv[2], "w:gz") as tape:
                for number in range(200):
                    entry = tarfile.TarInfo("folder %d" % number)
                    entry.type = tarfile.DIRTYPE
                    tape.addfile(entry)
                tape.add(sys.argv[1] + "/Takeout/a.jpg", "a.jpg")
            """
        )
        let (items, problem) = try list(FileHandle(forReadingFrom: url))
        #expect(problem == nil && entries(items).map(\.name) == ["a.jpg"])
    }

    @Test func encryptedAndUnknownEntriesAreRefused() throws {
        let url = try packed("ZIP_STORED")
        var bytes = try Data(contentsOf: url)
        let mark = Data([0x50, 0x4b, 1, 2])
        let first = try #require(bytes.firstRange(of: mark)).lowerBound
        let second = try #require(bytes[(first + 4)...].firstRange(of: mark)).lowerBound
        bytes[first + 8] |= 1
        bytes[second + 10] = 14
        let file = try FileHandle(forReadingFrom: folder.write(bytes, to: "altered"))
        let reasons = try list(file).items.compactMap { item -> String? in
            if case .refused(_, let reason) = item { reason } else { nil }
        }
        #expect(reasons.count == 2)
        #expect(reasons.first?.contains("encrypted") == true)
        #expect(reasons.last?.contains("method 14") == true)
    }

    @Test(arguments: [
        (Data(), "empty"), (Data("PK".utf8), "neither"), (Data("no archive".utf8), "neither"),
        (Data([0x1f, 0x8b, 8]), "truncated"),
        (Data([0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0]), "damaged"),
    ])
    func otherFilesHaveAReason(_ data: Data, _ word: String) throws {
        let file = try FileHandle(forReadingFrom: folder.write(data, to: "other"))
        let problem: String?
        do { problem = try list(file).problem } catch let error as ArchiveProblem {
            problem = error.reason
        }
        #expect(problem?.contains(word) == true, "\(problem ?? "none")")
    }

    @Test func aFolderIsNoArchive() throws {
        let folder = Glibc.open(self.folder.path, O_RDONLY | O_CLOEXEC)
        defer { close(folder) }
        let error = #expect(throws: ArchiveProblem.self) {
            try ArchiveExtractor.page(.start, of: folder)
        }
        #expect(error?.reason.contains("not a regular file") == true)
    }

    /// What the receiver cannot write ends the extraction.
    @Test(arguments: ["ZIP_STORED", "ZIP_DEFLATED"]) func aFullDiskEndsIt(method: String) throws {
        let file = try FileHandle(forReadingFrom: packed(method))
        let found = entries(try list(file).items).first { $0.name == "Takeout/a.jpg" }
        let entry = try #require(found)
        let error = #expect(throws: ArchiveProblem.self) {
            try ArchiveExtractor.extract(
                ArchiveExtraction(entry: entry, position: nil, done: 0),
                from: file.fileDescriptor
            ) { _ in false }
        }
        #expect(error?.reason == "It cannot be written.")
    }

    /// Requests of a client that was altered are refused, and never read outside of the file.
    @Test func impossiblePlacesAreRefused() throws {
        let file = try FileHandle(forReadingFrom: packed("ZIP_STORED"))
        let places: [ArchivePlace] = [
            .zip(header: -1, length: 5, isDeflated: false),
            .zip(header: .max, length: 5, isDeflated: true),
            .zip(header: 0, length: .max, isDeflated: true),
            .zip(header: 0, length: -1, isDeflated: false),
            .zip(header: 1, length: 5, isDeflated: false), .tar(offset: 5), .tar(offset: -1),
        ]
        for place in places {
            let entry = ArchiveEntry(
                name: "a",
                size: 5,
                crc: nil,
                modificationTime: nil,
                place: place
            )
            for position in [nil, InflatePosition(input: 0), InflatePosition(input: -1)] {
                #expect(throws: ArchiveProblem.self, "\(place)") {
                    try ArchiveExtractor.extract(
                        ArchiveExtraction(entry: entry, position: position, done: 0),
                        from: file.fileDescriptor
                    ) { _ in true }
                }
            }
        }
        for cursor in [
            ArchiveCursor.directory(offset: -1, end: 5, base: 0, remaining: 1),
            .directory(offset: 0, end: .max, base: 0, remaining: 1),
            .directory(offset: 0, end: 5, base: 0, remaining: .min),
            .directory(offset: 0, end: .min, base: 0, remaining: 1),
            .tar(InflatePosition(input: 0), header: -1), .tarEnd(InflatePosition(input: -1)),
        ] {
            #expect(throws: ArchiveProblem.self, "\(cursor)") {
                try ArchiveExtractor.page(cursor, of: file.fileDescriptor)
            }
        }
    }
}
