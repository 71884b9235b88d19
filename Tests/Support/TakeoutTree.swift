package import Foundation
package import PhotoModel
package import SamplePhotos

/// A made-up export of Google Takeout: its files in order, to be written as a folder or archives.
package struct TakeoutTree: Sendable {
    /// A file with its path below the export's folder.
    package struct File: Hashable, Sendable {
        package var path: String
        package var data: Data

        package init(_ path: String, _ data: Data) {
            self.path = path
            self.data = data
        }
    }

    /// The values of a description.
    package struct Description: Sendable {
        package var title: String
        /// The time of capture in seconds since 1970.
        package var taken = 1_600_000_000
        package var caption = ""
        package var isFavorite = false
        package var isArchived = false
        package var isTrashed = false
        package var isFromPartner = false
        package var people: [String] = []
        package var latitude = 0.0
        package var longitude = 0.0

        package init(title: String) { self.title = title }

        package var data: Data {
            let place =
                "{\"latitude\": \(latitude), \"longitude\": \(longitude), \"altitude\": 0.0}"
            let names = people.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ")
            let origin =
                isFromPartner
                ? "\"fromPartnerSharing\": {}"
                : "\"mobileUpload\": {\"deviceType\": \"ANDROID_PHONE\"}"
            let text = """
                {
                  "title": "\(title)",
                  "description": "\(caption)",
                  "photoTakenTime": {"timestamp": "\(taken)", "formatted": "ignored"},
                  "geoData": \(place),
                  "geoDataExif": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
                  "people": [\(names)],
                  \(isFavorite ? "\"favorited\": true," : "")
                  \(isArchived ? "\"archived\": true," : "")
                  \(isTrashed ? "\"trashed\": true," : "")
                  "googlePhotosOrigin": {\(origin)}
                }
                """
            return Data(text.utf8)
        }
    }

    package var files: [File] = []
    private static let root = "Takeout/Google Photos/"

    package init() {}

    /// Creates an export of photos in year folders, every third one with an edited copy, and an
    /// album with every fifth photo.
    package init(count: Int, seed: UInt64 = 1) throws {
        var files: [File] = []
        try Self.generate(count: count, seed: seed) { files.append($0) }
        self.files = files
    }

    /// Makes the files of `init(count:seed:)` one by one, so that an export may have any size.
    package static func generate(
        count: Int,
        seed: UInt64 = 1,
        _ body: (File) throws -> Void
    ) throws {
        let base = try picture(seed: seed)
        func add(_ path: String, _ data: Data) throws { try body(File(root + path, data)) }
        for index in 0..<count {
            let folder = "Photos from \(2015 + index % 5)"
            let name = "IMG_\(1000 + index).jpg"
            var description = Description(title: name)
            description.taken = 1_500_000_000 + index * 86_400
            description.caption = "Caption \(index)"
            description.isFavorite = index % 4 == 0
            let photo = base + Data("original \(seed) \(index)".utf8)
            try add(folder + "/" + name, photo)
            try add(folder + "/" + name + ".json", description.data)
            if index % 3 == 0 {
                let edited = base + Data("edited \(seed) \(index)".utf8)
                try add(folder + "/IMG_\(1000 + index)-edited.jpg", edited)
            }
            if index % 5 == 0 {
                try add("Summer/" + name, photo)
                try add("Summer/" + name + ".json", description.data)
            }
        }
        try add("Summer/metadata.json", Data("{\"title\": \"Summer 2015: the best\"}".utf8))
    }

    /// Writes an export of any size as a ZIP archive, with one file in memory at a time.
    package static func writeZIP(count: Int, seed: UInt64 = 1, to url: URL) throws {
        var zip = try ZIPWriter(writingTo: url)
        try generate(count: count, seed: seed) { try zip.add($0.path, $0.data) }
        try zip.finish()
    }

    /// Adds a file below the folder of photos.
    package mutating func add(_ path: String, _ data: Data) {
        files.append(File(Self.root + path, data))
    }

    /// Returns a small JPEG.
    package static func picture(
        seed: UInt64,
        date: SampleDate? = nil,
        location: Location? = nil,
        camera: String? = nil
    ) throws -> Data {
        var metadata = SampleMetadata()
        metadata.model = camera
        metadata.date = date
        metadata.location = location
        let size = PixelSize(width: 64, height: 48)
        return try SampleFile.jpeg(
            SamplePhoto(Picture(.hills, seed: seed), size: size, metadata: metadata)
        )
    }

    // MARK: - Writing

    /// Writes the files below a folder.
    package func write(to folder: URL) throws {
        for file in files {
            let url = folder.appendingPathComponent(file.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try file.data.write(to: url)
        }
    }

    /// Writes some of the files as a ZIP archive.
    package func writeZIP(to url: URL, _ range: Range<Int>? = nil, isDeflated: Bool = false) throws
    {
        var zip = ZIPWriter()
        for file in files[range ?? files.indices] {
            try zip.add(file.path, file.data, isDeflated: isDeflated)
        }
        try zip.data().write(to: url)
    }

    /// Writes all files as a compressed tape archive, by the system's programs.
    package func writeTGZ(to url: URL) throws {
        let folder = try TemporaryFolder("takeout-tgz")
        try write(to: folder.url)
        let output = try ProcessRunner.run(
            "tar",
            ["-czf", url.path, "-C", folder.path, "Takeout"]
        )
        guard output.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// Writes ZIP archives of any size, with the records of ZIP64 where they are needed.
package struct ZIPWriter {
    private var body = Data()
    private var offset: UInt64 = 0
    private var directory = Data()
    private var count: UInt64 = 0
    private let file: FileHandle?
    private static let large: UInt64 = 0xffff_ffff

    /// Creates a writer whose archive is returned by `data()`.
    package init() { file = nil }

    /// Creates a writer of a file, which holds one file of the archive and the directory in memory.
    package init(writingTo url: URL) throws {
        try Data().write(to: url)
        file = try FileHandle(forWritingTo: url)
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its name, which may be one that readers must refuse.
    ///   - content: Its bytes.
    ///   - isDeflated: Whether to compress them.
    ///   - mode: Its mode on Unix; nil for an archive of another system.
    ///   - crc: A wrong checksum; nil for the right one.
    ///   - isLarge: Whether its sizes are written as those of files above 4 GB.
    /// - Throws: An error of gzip.
    package mutating func add(
        _ name: String,
        _ content: Data,
        isDeflated: Bool = false,
        mode: UInt32? = nil,
        crc: UInt32? = nil,
        isLarge: Bool = false
    ) throws {
        let packed = isDeflated ? try Self.deflate(content) : content
        let sum = crc ?? Self.checksum(content)
        let name = Data(name.utf8)
        var sizes: [UInt64] = [UInt64(content.count), UInt64(packed.count)]
        let isLarge = isLarge || sizes.contains { $0 >= Self.large }
        func header(extra: Data) -> Data {
            var shared = Data()
            shared.append(number: isDeflated ? 8 : 0, length: 2)
            shared.append(number: 0, length: 4)
            shared.append(number: UInt64(sum), length: 4)
            shared.append(number: isLarge ? Self.large : UInt64(packed.count), length: 4)
            shared.append(number: isLarge ? Self.large : UInt64(content.count), length: 4)
            shared.append(number: UInt64(name.count), length: 2)
            shared.append(number: UInt64(extra.count), length: 2)
            return shared
        }
        if !isLarge { sizes = [] }
        let localExtra = Self.extra(sizes)
        var local = Data()
        local.append(number: 0x0403_4b50, length: 4)
        local.append(number: 20, length: 2)
        local.append(number: 0x0800, length: 2)
        local += header(extra: localExtra) + name + localExtra
        let start = offset
        for part in [local, packed] {
            if let file { try file.write(contentsOf: part) } else { body += part }
            offset += UInt64(part.count)
        }
        let extra = Self.extra(sizes + (start >= Self.large ? [start] : []))
        directory.append(number: 0x0201_4b50, length: 4)
        directory.append(number: mode == nil ? 20 : 3 << 8 | 20, length: 2)
        directory.append(number: 20, length: 2)
        directory.append(number: 0x0800, length: 2)
        directory += header(extra: extra)
        directory.append(number: 0, length: 2)
        directory.append(number: 0, length: 2)
        directory.append(number: 0, length: 2)
        directory.append(number: UInt64(mode ?? 0) << 16, length: 4)
        directory.append(number: min(start, Self.large), length: 4)
        directory += name + extra
        count += 1
    }

    /// Returns the extra field with the values that are too large for their places.
    private static func extra(_ values: [UInt64]) -> Data {
        guard !values.isEmpty else { return Data() }
        var field = Data()
        field.append(number: 1, length: 2)
        field.append(number: UInt64(values.count * 8), length: 2)
        for value in values { field.append(number: value, length: 8) }
        return field
    }

    /// Leaves a part of the file unwritten, so that what follows lies beyond 4 GB at no cost.
    package mutating func leaveGap(_ length: UInt64) throws {
        offset += length
        try file?.seek(toOffset: offset)
    }

    /// The archive, with the end of those above 4 GB if `isLarge` is set or it needs one.
    package func data(isLarge: Bool = false) -> Data { body + end(isLarge: isLarge) }

    /// Completes the file of the archive.
    package func finish() throws {
        try file?.write(contentsOf: end(isLarge: false))
        try file?.close()
    }

    /// Returns what follows the files: the directory and its place.
    private func end(isLarge: Bool) -> Data {
        var end = Data()
        let isLarge = isLarge || count >= 0xffff || offset >= Self.large
        if isLarge {
            end.append(number: 0x0606_4b50, length: 4)
            end.append(number: 44, length: 8)
            end.append(number: 45, length: 2)
            end.append(number: 45, length: 2)
            end.append(number: 0, length: 8)
            for value in [count, count, UInt64(directory.count), offset] {
                end.append(number: value, length: 8)
            }
            end.append(number: 0x0706_4b50, length: 4)
            end.append(number: 0, length: 4)
            end.append(number: offset + UInt64(directory.count), length: 8)
            end.append(number: 1, length: 4)
        }
        end.append(number: 0x0605_4b50, length: 4)
        end.append(number: 0, length: 4)
        end.append(number: isLarge ? 0xffff : count, length: 2)
        end.append(number: isLarge ? 0xffff : count, length: 2)
        end.append(number: isLarge ? Self.large : UInt64(directory.count), length: 4)
        end.append(number: isLarge ? Self.large : offset, length: 4)
        end.append(number: 0, length: 2)
        return directory + end
    }

    /// Compresses bytes by gzip, without its header and trailer.
    private static func deflate(_ content: Data) throws -> Data {
        let folder = try TemporaryFolder("takeout-deflate")
        let file = try folder.write(content, to: "content")
        let output = try ProcessRunner.run("gzip", ["-nc", file.path])
        guard output.status == 0, output.standardOutput.count > 18 else {
            throw CocoaError(.fileWriteUnknown)
        }
        return Data(output.standardOutput.dropFirst(10).dropLast(8))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1
        }
    }

    private static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

extension Data {
    fileprivate mutating func append(number: UInt64, length: Int) {
        for shift in 0..<length { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
