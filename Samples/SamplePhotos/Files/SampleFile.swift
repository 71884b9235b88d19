package import Foundation
package import PhotoModel
import RenditionCodec

/// A file of the demo or of a test, with its name and bytes.
package struct SampleFile: Hashable, Sendable {
    /// The path below the folder that the file is written to, with `/` between its parts.
    package var name: String
    package var data: Data
    /// The modification date of the file; nil keeps the time of writing.
    package var modified: Date?

    package init(name: String, data: Data, modified: Date? = nil) {
        self.name = name
        self.data = data
        self.modified = modified
    }

    /// Writes the file below `folder`, creates missing folders, and returns its URL.
    @discardableResult
    package func write(to folder: URL) throws -> URL {
        let file = folder.appendingPathComponent(name)
        let manager = FileManager.default
        try manager.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
        if let modified {
            try manager.setAttributes([.modificationDate: modified], ofItemAtPath: file.path)
        }
        return file
    }
}

/// A drawn photo with its metadata.
package struct SamplePhoto: Hashable, Sendable {
    package var picture: Picture
    /// The size as displayed.
    package var size: PixelSize
    package var metadata: SampleMetadata
    /// 1...100.
    package var quality: Int

    package init(
        _ picture: Picture = Picture(.hills, seed: 1),
        size: PixelSize = PixelSize(width: 640, height: 480),
        metadata: SampleMetadata = SampleMetadata(),
        quality: Int = 88
    ) {
        self.picture = picture
        self.size = size
        self.metadata = metadata
        self.quality = quality
    }

    /// The size as stored: the sides are swapped if the orientation requires it.
    package var storedSize: PixelSize { size.displayed(with: metadata.orientation ?? .up) }
}

extension SampleFile {
    /// Returns a JPEG with EXIF, and with XMP if the metadata needs it.
    package static func jpeg(_ photo: SamplePhoto) throws -> Data {
        let image = photo.picture.drawn(
            size: photo.size,
            orientation: photo.metadata.orientation ?? .up
        )
        return try jpeg(image, metadata: photo.metadata, quality: photo.quality)
    }

    /// Returns a JPEG of an image that is already drawn, oriented as stored.
    package static func jpeg(
        _ image: RGBImage,
        metadata: SampleMetadata,
        quality: Int = 88
    ) throws -> Data {
        var thumbnail: Data?
        if metadata.hasThumbnail {
            let longest = max(image.size.width, image.size.height)
            thumbnail = try image.shrunk(by: max(1, (longest + 159) / 160)).jpeg(quality: 70)
        }
        let block = ExifBlock(metadata: metadata, size: image.size, thumbnail: thumbnail)
        var file = JPEGFile(encoded: try image.jpeg(quality: quality))
        try file.insert(segment: 0xE1, payload: Data("Exif\0\0".utf8) + block.data)
        if metadata.hasXMP {
            let packet = XMPPacket(
                metadata: metadata,
                width: image.size.width,
                height: image.size.height
            )
            let header = Data("http://ns.adobe.com/xap/1.0/\0".utf8)
            try file.insert(segment: 0xE1, payload: header + Data(packet.text.utf8))
        }
        if let block = IPTCBlock(metadata: metadata) {
            let header = Data("Photoshop 3.0\0".utf8)
            try file.insert(segment: 0xED, payload: header + block.photoshopResource)
        }
        return file.data
    }
}

/// The reason that a sample cannot be written as described.
package struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}

/// An encoded JPEG to which application segments are added.
struct JPEGFile {
    /// The bytes before the encoder's first segment.
    private var head = Data([0xFF, 0xD8])
    private let tail: Data

    /// Creates it from an encoder's file, without the JFIF segment, since EXIF must be first.
    init(encoded: Data) {
        let bytes = [UInt8](encoded)
        let isJFIF = bytes.count > 6 && bytes[2] == 0xFF && bytes[3] == 0xE0
        let length = isJFIF ? Int(bytes[4]) << 8 | Int(bytes[5]) : -2
        tail = Data(bytes.dropFirst(2 + 2 + length))
    }

    var data: Data { head + tail }

    /// Adds a segment after those added before; its payload must fit into 65,533 bytes.
    mutating func insert(segment marker: UInt8, payload: Data) throws(SampleError) {
        guard payload.count <= 65_533 else {
            throw SampleError(
                message:
                    "The metadata take \(payload.count) bytes, and a JPEG segment holds 65,533."
            )
        }
        var writer = ByteWriter()
        writer.append(UInt8(0xFF))
        writer.append(marker)
        writer.append(UInt16(payload.count + 2))
        writer.append(payload)
        head += writer.data
    }
}
