import Foundation
import Glibc
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Archives that a worker lists and extracts, among them damaged and hostile ones.
@Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared

    init() throws { folder = try TemporaryFolder("archives") }

    private func descriptor(_ data: Data, _ name: String = "a.zip") throws -> FileHandle {
        try FileHandle(forReadingFrom: folder.write(data, to: name))
    }

    /// Lists a whole archive.
    private func list(_ file: FileHandle) throws -> (items: [ArchiveItem], problems: [String]) {
        var cursor: ArchiveCursor? = .start
        var items: [ArchiveItem] = []
        var problems: [String] = []
        var pages = 0
        while let next = cursor {
            let page = try pool.archivePage(next, of: file.fileDescriptor)
            items += page.items
            if let problem = page.problem { problems.append(problem) }
            cursor = page.next
            pages += 1
            try #require(pages < 1000)
        }
        return (items, problems)
    }

    /// Extracts an entry; returns the reason for a failure.
    private func extract(_ entry: ArchiveEntry, _ file: FileHandle) throws -> Result<Data, Reason> {
        let url = folder.file(UUID().uuidString)
        try Data().write(to: url)
        let output = try FileHandle(forUpdating: url)
        var position: InflatePosition?
        if case .tar = entry.place { position = InflatePosition(input: 0, isAtHeader: true) }
        var done: Int64 = 0
        repeat {
            let request = ArchiveExtraction(entry: entry, position: position, done: done)
            switch try pool.extract(
                request,
                from: file.fileDescriptor,
                to: output.fileDescriptor
            ) {
            case .progress(let progress): (done, position) = (progress.done, progress.position)
            case .failed(let reason), .unwritable(let reason):
                return .failure(Reason(text: reason))
            }
        } while done < entry.size
        return .success(try Data(contentsOf: url))
    }

    private struct Reason: Error {
        var text: String
    }

    private func files(_ items: [ArchiveItem]) -> [ArchiveEntry] {
        items.compactMap { item in
            guard case .file(let entry, _) = item else { return nil }
            return entry
        }
    }

    private static func content(_ length: Int) -> Data {
        var value: UInt32 = 1
        return Data(
            (0..<length).map { _ in
                value = value &* 1_664_525 &+ 1_013_904_223
                // Compressible, but not trivially.
                return UInt8(truncatingIfNeeded: value >> 24) & 0x1f
            }
        )
    }

    // MARK: - ZIP

    @Test(arguments: [false, true]) func entriesComeBack(isDeflated: Bool) throws {
        var zip = ZIPWriter()
        let contents = ["Takeout/a.jpg": Self.content(300_000), "Takeout/ü/b.jpg": Self.content(1)]
        for (name, data) in contents.sorted(by: { $0.key < $1.key }) {
            try zip.add(name, data, isDeflated: isDeflated)
        }
        let file = try descriptor(zip.data())
        let (items, problems) = try list(file)
        #expect(problems.isEmpty)
        let found = files(items)
        #expect(Set(found.map(\.name)) == Set(contents.keys))
        for entry in found {
            #expect(try extract(entry, file).get() == contents[entry.name])
        }
    }

    @Test func descriptionsAreReadWithTheListing() throws {
        var zip = ZIPWriter()
        var description = TakeoutTree.Description(title: "a.jpg")
        description.caption = "By the sea"
        description.people = ["Ann", "Bo"]
        description.isFavorite = true
        try zip.add("a.jpg.json", description.data, isDeflated: true)
        try zip.add("bad.json", Data("{".utf8))
        try zip.add("long.json", Data(count: 1 << 21))
        let (items, _) = try list(descriptor(zip.data()))
        let readings = items.map { item -> TakeoutReading? in
            guard case .file(_, let reading) = item else { return nil }
            return reading
        }
        try #require(readings.count == 3)
        guard case .facts(let facts)? = readings[0] else {
            Issue.record("The description was not read.")
            return
        }
        #expect(facts.kind == .asset)
        #expect(facts.caption == "By the sea")
        #expect(facts.people == ["Ann", "Bo"])
        #expect(facts.isFavorite)
        #expect(facts.takenSeconds == 1_600_000_000)
        #expect(facts.location == nil)
        #expect(facts.origin == ["mobileUpload.deviceType=ANDROID_PHONE"])
        for reading in readings.dropFirst() {
            guard case .failed? = reading else {
                Issue.record("It was read: \(String(describing: reading))")
                continue
            }
        }
    }

    @Test func manyEntriesTakeSeveralPages() throws {
        var zip = ZIPWriter()
        for index in 0..<1234 { try zip.add("\(index).jpg", Data([1])) }
        let (items, problems) = try list(descriptor(zip.data()))
        #expect(problems.isEmpty)
        #expect(files(items).map(\.name) == (0..<1234).map { "\($0).jpg" })
    }

    @Test func archivesOfZIP64ComeBack() throws {
        // More entries than the plain record can count.
        let count = 70_000
        var zip = ZIPWriter()
        for index in 0..<count { try zip.add("\(index).jpg", Data([7])) }
        let file = try descriptor(zip.data())
        let (items, problems) = try list(file)
        #expect(problems.isEmpty)
        let entries = files(items)
        #expect(entries.map(\.name) == (0..<count).map { "\($0).jpg" })
        let last = try #require(entries.last)
        #expect(try extract(last, file).get() == Data([7]))
    }

    /// Returns an archive without its records of ZIP64, of which the plain record takes the lower
    /// bits.
    private static func withoutLargeRecords(_ whole: Data, count: Int) -> Data {
        let (plainLength, locatorLength, largeLength) = (22, 20, 56)
        let large = whole.count - plainLength - locatorLength - largeLength
        let number = withUnsafeBytes(of: UInt16(truncatingIfNeeded: count).littleEndian) {
            Data($0)
        }
        var plain = Data([0x50, 0x4b, 5, 6, 0, 0, 0, 0]) + number + number
        plain += whole[(large + 40)..<(large + 44)]
        plain += whole[(large + 48)..<(large + 52)]
        plain += Data(count: 2)
        return whole[..<large] + plain
    }

    /// Some programs write more entries than the plain record can count, without a larger one.
    @Test(arguments: [65_536, 70_000]) func uncountedEntriesComeBack(_ count: Int) throws {
        var zip = ZIPWriter()
        for index in 0..<count { try zip.add("\(index).jpg", Data([7])) }
        let file = try descriptor(Self.withoutLargeRecords(zip.data(), count: count))
        let (items, problems) = try list(file)
        #expect(problems.isEmpty)
        let entries = files(items)
        #expect(entries.map(\.name) == (0..<count).map { "\($0).jpg" })
        let last = try #require(entries.last)
        #expect(try extract(last, file).get() == Data([7]))
    }

    /// The directory is read to its end, whatever the record states about its entries.
    @Test func bytesBehindTheLastEntryAreNotIgnored() throws {
        var zip = ZIPWriter()
        for name in ["a.jpg", "b.jpg"] { try zip.add(name, Data([7])) }
        let whole = zip.data()
        let end = whole.count - 22
        /// Adds bytes to the directory, and changes the number of its entries.
        func archive(adding bytes: [UInt8], count: UInt8 = 2) -> Data {
            var data = whole[..<end] + Data(bytes) + whole[end...]
            let record = end + bytes.count
            (data[record + 8], data[record + 10]) = (count, count)
            data[record + 12] += UInt8(bytes.count)
            return data
        }
        try #require(whole[end + 12] < 200 && whole[end + 13] == 0)
        let signature: [UInt8] = [0x50, 0x4b, 5, 5, 3, 0, 9, 9, 9]
        let archives: [(Data, Bool)] = [
            (archive(adding: []), true), (archive(adding: [], count: 0), true),
            (archive(adding: [], count: 1), true), (archive(adding: [], count: 3), false),
            (archive(adding: signature), true), (archive(adding: signature, count: 3), false),
            (archive(adding: signature + [9]), false),
            (archive(adding: Array(signature.dropLast())), false),
            (archive(adding: [0]), false), (archive(adding: Array(repeating: 0, count: 46)), false),
        ]
        for (data, isSound) in archives {
            let (items, problems) = try list(descriptor(data))
            #expect(files(items).map(\.name) == ["a.jpg", "b.jpg"])
            #expect(problems.count == (isSound ? 0 : 1), "\(Array(data[end...]))")
            #expect(problems.allSatisfy { $0.contains("damaged") })
        }
    }

    @Test func entriesBeyondFourGigabytesComeBack() throws {
        let url = folder.file("large.zip")
        var zip = try ZIPWriter(writingTo: url)
        let content = Self.content(3000)
        try zip.add("first.jpg", content, isLarge: true)
        // A hole, which takes no space.
        try zip.leaveGap(5 << 30)
        try zip.add("stored.jpg", content)
        try zip.add("deflated.jpg", content, isDeflated: true, isLarge: true)
        try zip.finish()
        let file = try FileHandle(forReadingFrom: url)
        let (items, problems) = try list(file)
        #expect(problems.isEmpty)
        let entries = files(items)
        #expect(entries.map(\.name) == ["first.jpg", "stored.jpg", "deflated.jpg"])
        #expect(entries.allSatisfy { $0.size == 3000 })
        for entry in entries { #expect(try extract(entry, file).get() == content) }
        // Another program reads the same.
        let script = """
            import sys, zipfile
            sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("deflated.jpg"))
            """
        let other = try ProcessRunner.run("python3", ["-c", script, url.path])
        #expect(other.standardOutput == content, "\(other.errorText)")
    }

    /// Each number of ZIP64's records and fields may be anything.
    @Test func hostileZIP64IsHarmless() throws {
        var zip = ZIPWriter()
        let content = Self.content(200)
        try zip.add("a.jpg", content, isDeflated: true, isLarge: true)
        try zip.add("b.jpg", content, isLarge: true)
        let whole = zip.data(isLarge: true)
        let sound = try list(descriptor(whole))
        #expect(sound.problems.isEmpty && files(sound.items).count == 2)
        func place(of mark: [UInt8]) throws -> Int {
            try #require(whole.firstRange(of: Data(mark))).lowerBound
        }
        let end = try place(of: [0x50, 0x4b, 6, 6])
        let locator = try place(of: [0x50, 0x4b, 6, 7])
        let fields = whole.indices.filter { index in
            whole[index...].prefix(4) == Data([1, 0, 16, 0])
        }
        #expect(fields.count == 4)
        var places =
            [4, 16, 20, 24, 32, 40, 48].map { end + $0 } + [4, 8, 16].map { locator + $0 }
        for field in fields { places += [field + 2, field + 4, field + 12] }
        let starts = pool.startCount
        for place in places {
            for number: UInt64 in [
                0, 1, 0xffff, 0xffff_ffff, UInt64(whole.count), UInt64(end), 1 << 62,
                UInt64(Int64.max), 1 << 63, .max - 1, .max,
            ] {
                var data = whole
                withUnsafeBytes(of: number.littleEndian) { bytes in
                    for (index, byte) in bytes.enumerated() where place + index < data.count {
                        data[place + index] = byte
                    }
                }
                let file = try descriptor(data)
                for entry in files(try list(file).items) where entry.size < 1 << 20 {
                    if case .success(let found) = try extract(entry, file) {
                        #expect(found == content, "byte \(place), \(number)")
                    }
                }
            }
        }
        #expect(pool.startCount <= starts + 4)
    }

    @Test func namesThatLeaveTheFolderAreRefused() throws {
        var zip = ZIPWriter()
        let names = [
            "/etc/passwd", "../a.jpg", "a/../../b.jpg", "a/..", "\0",
            String(repeating: "n", count: 5000),
        ]
        for name in names { try zip.add(name, Data([1])) }
        try zip.add("link", Data("/etc/passwd".utf8), mode: 0o120777)
        try zip.add("device", Data([1]), mode: 0o060600)
        try zip.add("a..b/..c.jpg", Data([1]), mode: 0o100644)
        let (items, problems) = try list(descriptor(zip.data()))
        #expect(problems.isEmpty)
        #expect(files(items).map(\.name) == ["a..b/..c.jpg"])
        #expect(items.count == names.count + 3)
    }

    @Test func wrongChecksumsFail() throws {
        for isDeflated in [false, true] {
            var zip = ZIPWriter()
            try zip.add("a.jpg", Self.content(5000), isDeflated: isDeflated, crc: 7)
            let file = try descriptor(zip.data())
            let entry = try #require(files(list(file).items).first)
            guard case .failure(let reason) = try extract(entry, file) else {
                Issue.record("A damaged entry was extracted.")
                continue
            }
            #expect(reason.text.contains("checksum"))
        }
    }

    @Test func truncatedArchiveGivesWhatItHolds() throws {
        var zip = ZIPWriter()
        for index in 0..<5 {
            try zip.add("\(index).jpg", Self.content(2000), isDeflated: index % 2 == 0)
        }
        let whole = zip.data()
        var most = 0
        for length in stride(from: 0, to: whole.count, by: 97) {
            let file = try descriptor(whole.prefix(length))
            let (items, problems) = try list(file)
            #expect(!problems.isEmpty)
            most = max(most, items.count)
            for entry in files(items) {
                if case .success(let data) = try extract(entry, file) {
                    #expect(data == Self.content(2000))
                }
            }
        }
        #expect(most == 5)
    }

    /// Each altered byte is a problem, a refusal, other bytes with a failure, or without effect;
    /// never a crash or wrong bytes.
    @Test func alteredArchivesAreHarmless() throws {
        var zip = ZIPWriter()
        let content = Self.content(200)
        try zip.add("a.jpg", content, isDeflated: true)
        try zip.add("b.jpg.json", Data("{\"title\": \"b\"}".utf8))
        let whole = zip.data()
        let starts = pool.startCount
        for offset in whole.indices {
            for change in [UInt8(0xff), 0x01] {
                var data = whole
                data[offset] ^= change
                let file = try descriptor(data)
                for entry in files(try list(file).items) where entry.name == "a.jpg" {
                    if case .success(let found) = try extract(entry, file) {
                        #expect(found == content, "byte \(offset)")
                    }
                }
            }
        }
        #expect(pool.startCount <= starts + 4)
    }

    // MARK: - TGZ

    private func tape(_ files: [(String, Data)]) throws -> FileHandle {
        let source = try TemporaryFolder("tape")
        for (name, data) in files { try source.write(data, to: name) }
        let url = folder.file("a.tgz")
        let output = try ProcessRunner.run(
            "tar",
            ["-czf", url.path, "-C", source.path] + files.map(\.0)
        )
        try #require(output.status == 0, "\(output.errorText)")
        return try FileHandle(forReadingFrom: url)
    }

    @Test func tapesComeBack() throws {
        let long = String(repeating: "long/", count: 40) + "name.jpg"
        let contents = [
            ("a.jpg", Self.content(3_000_000)), ("b.jpg.json", Data("{\"title\": \"b\"}".utf8)),
            (long, Self.content(513)), ("c.jpg", Self.content(2_000_000)),
        ]
        let file = try tape(contents)
        let (items, problems) = try list(file)
        #expect(problems.isEmpty)
        let found = files(items)
        #expect(found.map(\.name) == contents.map(\.0))
        for (entry, content) in zip(found, contents) {
            #expect(try extract(entry, file).get() == content.1)
        }
        guard case .file(_, .facts(let facts)?) = items[1] else {
            Issue.record("The description was not read.")
            return
        }
        #expect(facts.kind == .album)
    }

    @Test func positionsContinueAnywhere() throws {
        let contents = (0..<8).map { ("\($0).jpg", Self.content(1_500_000 + $0)) }
        let file = try tape(contents)
        var position: InflatePosition? = InflatePosition(input: 0, isAtHeader: true)
        let output = folder.file("output")
        for (entry, content) in zip(files(try list(file).items), contents) {
            try Data().write(to: output)
            let handle = try FileHandle(forUpdating: output)
            let request = ArchiveExtraction(entry: entry, position: position, done: 0)
            guard
                case .progress(let progress) = try pool.extract(
                    request,
                    from: file.fileDescriptor,
                    to: handle.fileDescriptor
                )
            else {
                Issue.record("\(entry.name) was not extracted.")
                return
            }
            #expect(try Data(contentsOf: output) == content.1, "\(entry.name)")
            // The position moves forward, so that nothing is decompressed twice.
            #expect((progress.position?.output ?? 0) > (position?.output ?? 0))
            position = progress.position
        }
    }

    @Test func truncatedTapesGiveWhatTheyHold() throws {
        let contents = (0..<4).map { ("\($0).jpg", Self.content(20_000)) }
        let whole = try Data(contentsOf: folder.file("a.tgz"), from: tape(contents))
        for length in stride(from: 1, to: whole.count, by: whole.count / 40 + 1) {
            let file = try descriptor(whole.prefix(length), "short.tgz")
            #expect(try !list(file).problems.isEmpty)
        }
        var damaged = whole
        damaged[whole.count - 6] ^= 1
        let problems = try list(descriptor(damaged, "damaged.tgz")).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("checksum") == true)
    }

    @Test func linksInTapesAreRefused() throws {
        let source = try TemporaryFolder("tape-links")
        try source.write(Data([1]), to: "a.jpg")
        symlink("/etc/passwd", source.file("link").path)
        mkfifo(source.file("pipe").path, 0o600)
        let url = folder.file("links.tgz")
        let names = ["a.jpg", "link", "pipe"]
        _ = try ProcessRunner.run("tar", ["-czf", url.path, "-C", source.path] + names)
        let (items, _) = try list(FileHandle(forReadingFrom: url))
        #expect(files(items).map(\.name) == ["a.jpg"])
        #expect(items.count == 3)
    }

    @Test func otherFilesAreNoArchives() throws {
        for data in [Data(), Data([1]), Data("PK".utf8), Data(count: 100)] {
            let (items, problems) = try list(descriptor(data))
            #expect(items.isEmpty)
            #expect(problems.count == 1)
        }
    }

    // MARK: - JSON

    /// Values of wrong types count as missing.
    @Test func wrongTypesAreMissingValues() throws {
        let wrong = [
            "null", "true", "-1", "1e999", "\"text\"", "[]", "[[[]]]", "{}", "{\"a\": [1, null]}",
        ]
        let names = [
            "title", "description", "photoTakenTime", "geoData", "geoDataExif", "favorited",
            "archived", "trashed", "people", "googlePhotosOrigin", "albumData",
        ]
        for name in names {
            for value in wrong {
                let text = "{\"photoTakenTime\": {\"timestamp\": 5}, \"\(name)\": \(value)}"
                let file = try descriptor(Data(text.utf8), "a.json")
                guard case .facts(let facts) = try pool.takeoutReading(of: file.fileDescriptor)
                else {
                    Issue.record("\(text) was not read.")
                    continue
                }
                #expect(facts.kind == .asset, "\(text)")
                #expect(facts.location == nil, "\(text)")
                #expect(facts.people.isEmpty, "\(text)")
            }
        }
    }

    @Test func damagedJSONFails() throws {
        let texts = [
            "", "{", "{\"a\"}", "[1,]", "{\"a\": 1} x", "\"\\u12\"", "nul", "+",
            String(repeating: "[", count: 100_000), "{\"a\": \"\u{1}\"}",
        ]
        for text in texts {
            let file = try descriptor(Data(text.utf8), "a.json")
            guard case .failed = try pool.takeoutReading(of: file.fileDescriptor) else {
                Issue.record("\(text.prefix(20)) was read.")
                continue
            }
        }
        let escaped = "{\"title\": \"\\u00e4\\ud83d\\udc36\\ud83d \\n\\/\"}"
        let file = try descriptor(Data(escaped.utf8), "a.json")
        guard case .facts(let facts) = try pool.takeoutReading(of: file.fileDescriptor) else {
            Issue.record("It was not read.")
            return
        }
        #expect(facts.title == "ä🐶\u{fffd}  /")
    }
}

extension Data {
    /// Reads a file that a handle keeps open.
    fileprivate init(contentsOf url: URL, from handle: FileHandle) throws {
        try self.init(contentsOf: url)
    }
}
