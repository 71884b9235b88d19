import Foundation
import PhotoModel

/// Builds the TIFF stream of a JPEG's APP1 segment, a PNG's eXIf chunk or a DNG.
struct ExifBlock {
    let metadata: SampleMetadata
    /// The size as stored.
    let size: PixelSize
    let thumbnail: Data?

    /// The whole stream, big-endian as iPhones write it.
    var data: Data { TIFFWriter.file(chain, bigEndian: true) }

    /// The main directory, followed by the thumbnail's if there is one.
    var chain: [TIFFDirectory] {
        guard let thumbnail else { return [main] }
        let second = TIFFDirectory([
            (0x0103, .shorts([6])),
            (0x011A, .rationals([(72, 1)])),
            (0x011B, .rationals([(72, 1)])),
            (0x0128, .shorts([2])),
            (0x0201, .data(thumbnail)),
            (0x0202, .longs([UInt32(thumbnail.count)])),
        ])
        return [main, second]
    }

    /// The main directory: camera, orientation, and the EXIF and GPS directories.
    var main: TIFFDirectory {
        var directory = TIFFDirectory()
        if let caption = metadata.caption { directory.set(0x010E, .ascii(caption)) }
        if let make = metadata.make { directory.set(0x010F, .ascii(make)) }
        if let model = metadata.model { directory.set(0x0110, .ascii(model)) }
        if let orientation = metadata.orientation {
            directory.set(0x0112, .shorts([UInt16(orientation.rawValue)]))
        }
        directory.set(0x011A, .rationals([(72, 1)]))
        directory.set(0x011B, .rationals([(72, 1)]))
        directory.set(0x0128, .shorts([2]))
        if let software = metadata.software { directory.set(0x0131, .ascii(software)) }
        if let date = metadata.date { directory.set(0x0132, .ascii(date.text)) }
        if let rating = metadata.rating { directory.set(0x4746, .shorts([UInt16(rating)])) }
        directory.set(0x8769, .directory(exif))
        if metadata.location != nil || metadata.gpsTime != nil {
            directory.set(0x8825, .directory(gps))
        }
        return directory
    }

    private var exif: TIFFDirectory {
        var directory = TIFFDirectory([(0x9000, .undefined(Data("0232".utf8)))])
        if let exposure = metadata.exposure {
            directory.set(0x829A, .rationals([(1, UInt32((1 / exposure.time).rounded()))]))
            directory.set(0x829D, .rationals([TIFFDirectory.rational(exposure.fNumber)]))
            directory.set(0x8827, .shorts([UInt16(exposure.iso)]))
            directory.set(0x920A, .rationals([TIFFDirectory.rational(exposure.focalLength)]))
            directory.set(0xA405, .shorts([UInt16(exposure.focalLength35)]))
        }
        if let date = metadata.date {
            for tag: UInt16 in [0x9003, 0x9004] { directory.set(tag, .ascii(date.text)) }
            if let offset = date.offset {
                for tag: UInt16 in [0x9010, 0x9011, 0x9012] { directory.set(tag, .ascii(offset)) }
            }
            if let subseconds = date.subseconds {
                for tag: UInt16 in [0x9291, 0x9292] { directory.set(tag, .ascii(subseconds)) }
            }
        }
        if metadata.hasAppleNote {
            directory.set(0x927C, .undefined(AppleMakerNote(metadata: metadata).data))
        }
        if let comment = metadata.userComment {
            directory.set(0x9286, .undefined(Data("ASCII\0\0\0".utf8) + Data(comment.utf8)))
        }
        directory.set(0xA001, .shorts([1]))
        directory.set(0xA002, .longs([UInt32(size.width)]))
        directory.set(0xA003, .longs([UInt32(size.height)]))
        if let rendered = metadata.customRendered {
            directory.set(0xA401, .shorts([UInt16(rendered)]))
        }
        if let lens = metadata.lens {
            directory.set(0xA433, .ascii(metadata.make ?? "Sample"))
            directory.set(0xA434, .ascii(lens))
        }
        return directory
    }

    private var gps: TIFFDirectory {
        var directory = TIFFDirectory([(0x0000, .bytes([2, 3, 0, 0]))])
        if let location = metadata.location {
            directory.set(0x0001, .ascii(location.latitude < 0 ? "S" : "N"))
            directory.set(0x0002, .rationals(Self.sexagesimal(location.latitude)))
            directory.set(0x0003, .ascii(location.longitude < 0 ? "W" : "E"))
            directory.set(0x0004, .rationals(Self.sexagesimal(location.longitude)))
            if let altitude = location.altitude {
                directory.set(0x0005, .bytes([altitude < 0 ? 1 : 0]))
                directory.set(0x0006, .rationals([TIFFDirectory.rational(abs(altitude))]))
            }
        }
        if let words = metadata.gpsTime?.split(separator: " "), words.count == 2 {
            let clock = words[1].split(separator: ":").map { UInt32($0) ?? 0 }
            directory.set(0x0007, .rationals(clock.map { ($0, 1) }))
            directory.set(0x001D, .ascii(String(words[0])))
        }
        return directory
    }

    /// Returns degrees, minutes and seconds to a millionth of a second: about 30 micrometers.
    private static func sexagesimal(_ degrees: Double) -> [(UInt32, UInt32)] {
        let micro = Int((abs(degrees) * 3_600_000_000).rounded())
        let seconds = micro % 60_000_000
        let minutes = micro / 60_000_000
        return [
            (UInt32(minutes / 60), 1), (UInt32(minutes % 60), 1), (UInt32(seconds), 1_000_000),
        ]
    }
}

/// Apple's own EXIF directory, with offsets from the start of the note.
struct AppleMakerNote {
    let metadata: SampleMetadata

    var data: Data {
        var directory = TIFFDirectory([(0x0001, .signedLongs([14]))])
        if let type = metadata.appleHDRImageType {
            directory.set(0x000A, .signedLongs([Int32(type)]))
        }
        if let burst = metadata.burstIdentifier { directory.set(0x000B, .ascii(burst)) }
        if let content = metadata.contentIdentifier { directory.set(0x0011, .ascii(content)) }
        let header = Data("Apple iOS\0".utf8) + Data([0, 1]) + Data("MM".utf8)
        return header
            + TIFFWriter.directory(directory, base: header.count, bigEndian: true)
    }
}
