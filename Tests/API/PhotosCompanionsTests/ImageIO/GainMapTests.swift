import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Gain maps that programs copy from one file to another.
@Suite(.timeLimit(.minutes(3))) struct GainMapTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Converts a photo, and keeps its gain map.
    private func convert(_ url: URL, to target: URL, type: UTType, auxiliary: CFString) -> Bool {
        guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
            let destination = CGImageDestinationCreateWithURL(
                target as CFURL,
                type.identifier as CFString,
                1,
                nil
            )
        else { return false }
        // Encoding HEVC takes long.
        let options = [kCGImageDestinationImageMaxPixelSize: 400]
        CGImageDestinationAddImageFromSource(destination, source, 0, options as CFDictionary)
        if let info = CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, auxiliary) {
            CGImageDestinationAddAuxiliaryDataInfo(destination, auxiliary, info)
        }
        return CGImageDestinationFinalize(destination)
    }

    private func info(of url: URL, _ type: CFString) throws -> [String: Any]? {
        let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
        return CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) as? [String: Any]
    }

    private func size(_ info: [String: Any]) throws -> [Int] {
        let key = kCGImageAuxiliaryDataInfoDataDescription as String
        let said = try #require(info[key] as? [String: Any])
        return ["Width", "Height"].compactMap { said[$0] as? Int }
    }

    static let files: [(String, String)] = [
        ("iphone13mini-gainmap-new.jpg", "kCGImageAuxiliaryDataTypeHDRGainMap"),
        ("canon-r8-ultrahdr-small.jpg", "kCGImageAuxiliaryDataTypeISOGainMap"),
        ("galaxy-s25u-gainmap.heic", "kCGImageAuxiliaryDataTypeISOGainMap"),
    ]

    @Test(.needsSharedData, arguments: files, [UTType.jpeg, .heic])
    func theyAreReadWrittenAndReadAgain(_ file: (String, String), _ type: UTType) throws {
        let url = SharedData.file("hdr-gainmap/\(file.0)")
        let before = try #require(try info(of: url, file.1 as CFString))
        let bytes = try #require(before[kCGImageAuxiliaryDataInfoData as String] as? Data)
        #expect(bytes.contains { $0 != bytes[0] })
        let target = folder.file("bright.\(type.preferredFilenameExtension ?? "")")
        try #require(convert(url, to: target, type: type, auxiliary: file.1 as CFString))
        let after = try #require(try info(of: target, file.1 as CFString))
        #expect(try size(after) == size(before))
        let key = kCGImageAuxiliaryDataInfoMetadata as String
        let said = try #require(before[key] as? CGImageMetadata)
        #expect(after[key] as? CGImageMetadata == said)
        #expect(CGImageMetadataCreateXMPData(said, nil) != nil)
        let written = try #require(after[kCGImageAuxiliaryDataInfoData as String] as? Data)
        #expect(written.count == bytes.count)
        let error = zip(bytes, written).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(error) / Double(bytes.count) < 6)
    }

    @Test(.needsSharedData, .needsProgram("exiftool"))
    func othersSeeThem() throws {
        let url = SharedData.file("hdr-gainmap/iphone13mini-gainmap-new.jpg")
        let jpeg = folder.file("bright.jpg")
        let type = kCGImageAuxiliaryDataTypeHDRGainMap
        try #require(convert(url, to: jpeg, type: .jpeg, auxiliary: type))
        let tags = try ExifTool.tags(of: jpeg)
        #expect(tags["MPF:NumberOfImages"] == "2")
        let map = try ProcessRunner.run("exiftool", ["-b", "-MPImage2", jpeg.path])
        let inner = folder.file("map.jpg")
        try map.standardOutput.write(to: inner)
        let said = try ExifTool.tags(of: inner)
        #expect(
            said["XMP:AuxiliaryImageType"] == "urn:com:apple:photo:2020:aux:hdrgainmap"
        )
        #expect(try ExifTool.complaints(about: jpeg) == [])
        let heic = folder.file("bright.heic")
        try #require(convert(url, to: heic, type: .heic, auxiliary: type))
        let items = try ProcessRunner.run(
            "exiftool",
            ["-a", "-s", "-AuxiliaryImageType", heic.path]
        )
        #expect(items.text.contains("hdrgainmap"))
    }

    @Test(.needsSharedData) func theOptionKeepsThem() throws {
        let url = SharedData.file("hdr-gainmap/canon-r8-ultrahdr-small.jpg")
        let type = kCGImageAuxiliaryDataTypeISOGainMap
        for keeps in [true, false] {
            let target = folder.file("kept-\(keeps).heic")
            let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
            let destination = try #require(
                CGImageDestinationCreateWithURL(
                    target as CFURL,
                    UTType.heic.identifier as CFString,
                    1,
                    nil
                )
            )
            let options = [kCGImageDestinationPreserveGainMap: keeps]
            CGImageDestinationAddImageFromSource(destination, source, 0, options as CFDictionary)
            #expect(CGImageDestinationFinalize(destination))
            #expect(try (info(of: target, type) != nil) == keeps)
        }
    }

    @Test func plainPicturesHaveNone() throws {
        let data = NSMutableData()
        let destination = try #require(
            CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil)
        )
        CGImageDestinationAddImage(destination, try Pictures.image(), nil)
        CGImageDestinationAddAuxiliaryDataInfo(
            destination,
            kCGImageAuxiliaryDataTypeHDRGainMap,
            ["Width": 3] as CFDictionary
        )
        #expect(CGImageDestinationFinalize(destination))
        let source = try #require(CGImageSourceCreateWithData(data, nil))
        for type in [kCGImageAuxiliaryDataTypeHDRGainMap, kCGImageAuxiliaryDataTypeDepth] {
            #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) == nil)
        }
    }
}
