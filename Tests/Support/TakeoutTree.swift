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
        package var people: [String] = []
        package var latitude = 0.0
        package var longitude = 0.0

        package init(title: String) { self.title = title }

        package var data: Data {
            let place =
                "{\"latitude\": \(latitude), \"longitude\": \(longitude), \"altitude\": 0.0}"
            let names = people.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ")
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
                  "googlePhotosOrigin": {"mobileUpload": {"deviceType": "ANDROID_PHONE"}}
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
        let base = try Self.picture(seed: seed)
        for index in 0..<count {
            let folder = "Photos from \(2015 + index % 5)"
            let name = "IMG_\(1000 + index).jpg"
            var description = Description(title: name)
            description.taken = 1_500_000_000 + index * 86_400
            description.caption = "Caption \(index)"
            description.isFavorite = index % 4 == 0
            let photo = base + Data("original \(seed) \(index)".utf8)
            add(folder + "/" + name, photo)
            add(folder + "/" + name + ".json", description.data)
            if index % 3 == 0 {
                let edited = base + Data("edited \(seed) \(index)".utf8)
                add(folder + "/IMG_\(1000 + index)-edited.jpg", edited)
            }
            if index % 5 == 0 {
                add("Summer/" + name, photo)
                add("Summer/" + name + ".json", description.data)
            }
        }
        add("Summer/metadata.json", Data("{\"title\": \"Summer 2015: the best\"}".utf8))
    }

    /// Adds a file below the folder of photos.
    package mutating func add(_ path: String, _ data: Data) {
        files.append(File(Self.root + path, data))
    }

    /// Returns a small JPEG.
    package static func picture(
        seed: UInt64,
        date: SampleDate? = nil,
        location: Location? = nil
    ) throws -> Data {
        var metadata = SampleMetadata()
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

/// Writes ZIP archives of at most 4 GB.
package struct ZIPWriter {
    private var body = Data()
    private var offset: UInt32 = 0
    private var directory = Data()
    private var count = 0
    private let file: FileHandle?

    /// Creates a writer whose archive is returned by `data()`.
    package init() { file = nil }

    /// Creates a writer of a file, which holds one file of the archive in memory at a time.
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
    /// - Throws: An error of gzip.
    package mutating func add(
        _ name: String,
        _ content: Data,
        isDeflated: Bool = false,
        mode: UInt32? = nil,
        crc: UInt32? = nil
    ) throws {
        let packed = isDeflated ? try Self.deflate(content) : content
        let sum = crc ?? Self.checksum(content)
        let name = Data(name.utf8)
        var shared = Data()
        shared.append(number: isDeflated ? 8 : 0, length: 2)
        shared.append(number: 0, length: 4)
        shared.append(number: sum, length: 4)
        shared.append(number: UInt32(packed.count), length: 4)
        shared.append(number: UInt32(content.count), length: 4)
        shared.append(number: UInt32(name.count), length: 2)
        shared.append(number: 0, length: 2)
        var local = Data()
        local.append(number: 0x0403_4b50, length: 4)
        local.append(number: 20, length: 2)
        local.append(number: 0x0800, length: 2)
        local += shared + name
        let start = offset
        for part in [local, packed] {
            if let file { try file.write(contentsOf: part) } else { body += part }
            offset += UInt32(part.count)
        }
        directory.append(number: 0x0201_4b50, length: 4)
        directory.append(number: mode == nil ? 20 : 3 << 8 | 20, length: 2)
        directory.append(number: 20, length: 2)
        directory.append(number: 0x0800, length: 2)
        directory += shared
        directory.append(number: 0, length: 2)
        directory.append(number: 0, length: 2)
        directory.append(number: 0, length: 2)
        directory.append(number: (mode ?? 0) << 16, length: 4)
        directory.append(number: start, length: 4)
        directory += name
        count += 1
    }

    /// Returns the archive.
    package func data() -> Data { body + end }

    /// Completes the file of the archive.
    package func finish() throws {
        try file?.write(contentsOf: end)
        try file?.close()
    }

    /// What follows the files: the directory and its place.
    private var end: Data {
        var end = Data()
        end.append(number: 0x0605_4b50, length: 4)
        end.append(number: 0, length: 4)
        end.append(number: UInt32(count), length: 2)
        end.append(number: UInt32(count), length: 2)
        end.append(number: UInt32(directory.count), length: 4)
        end.append(number: offset, length: 4)
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
    fileprivate mutating func append(number: UInt32, length: Int) {
        for shift in 0..<length { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
