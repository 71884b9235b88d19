import Foundation
import PhotosCompanions
import Testing

/// The functions and constants that preceded `UTType`.
@Suite(.timeLimit(.minutes(2))) struct OldTypeFunctionTests {
    @Test func typesConform() {
        #expect(UTTypeConformsTo("public.heic" as CFString, kUTTypeImage))
        #expect(UTTypeConformsTo(kUTTypeQuickTimeMovie, kUTTypeMovie))
        #expect(UTTypeConformsTo(kUTTypeImage, kUTTypeImage))
        #expect(!UTTypeConformsTo(kUTTypeImage, kUTTypeJPEG))
        #expect(!UTTypeConformsTo("org.example.unknown" as CFString, kUTTypeData))
        #expect(UTTypeEqual(kUTTypeJPEG, "Public.JPEG" as CFString))
        #expect(!UTTypeEqual(kUTTypeJPEG, kUTTypePNG))
    }

    @Test func tagsLeadToTypesAndBack() {
        let type = UTTypeCreatePreferredIdentifierForTag(
            kUTTagClassFilenameExtension,
            "MOV" as CFString,
            nil
        )?.takeRetainedValue()
        #expect(type as String? == "com.apple.quicktime-movie")
        let raw = UTTypeCreatePreferredIdentifierForTag(
            kUTTagClassMIMEType,
            "image/x-adobe-dng" as CFString,
            kUTTypeImage
        )?.takeRetainedValue()
        #expect(raw as String? == "com.adobe.raw-image")
        #expect(
            UTTypeCreatePreferredIdentifierForTag(
                kUTTagClassFilenameExtension,
                "jpg" as CFString,
                kUTTypeMovie
            ) == nil
        )
        #expect(
            UTTypeCreatePreferredIdentifierForTag("x" as CFString, "jpg" as CFString, nil) == nil
        )
        let mime = UTTypeCopyPreferredTagWithClass(kUTTypeJPEG, kUTTagClassMIMEType)
        #expect(mime?.takeRetainedValue() as String? == "image/jpeg")
        let ext = UTTypeCopyPreferredTagWithClass(
            "public.heic" as CFString,
            kUTTagClassFilenameExtension
        )
        #expect(ext?.takeRetainedValue() as String? == "heic")
        #expect(UTTypeCopyPreferredTagWithClass(kUTTypeImage, kUTTagClassMIMEType) == nil)
    }

    @Test(
        arguments: [
            kUTTypeItem, kUTTypeContent, kUTTypeData, kUTTypeImage, kUTTypeRawImage, kUTTypeJPEG,
            kUTTypeJPEG2000, kUTTypePNG, kUTTypeGIF, kUTTypeTIFF, kUTTypeBMP, kUTTypeLivePhoto,
            kUTTypeAudiovisualContent, kUTTypeMovie, kUTTypeVideo, kUTTypeAudio,
            kUTTypeQuickTimeMovie,
            kUTTypeMPEG, kUTTypeMPEG2TransportStream, kUTTypeMPEG4, kUTTypeAVIMovie, kUTTypeText,
            kUTTypeXML, kUTTypePropertyList,
        ].map { $0 as String }
    )
    func everyConstantIsDeclared(_ identifier: String) {
        #expect(UTType(identifier) != nil)
    }
}

/// The tags of types, and file names by type.
@Suite(.timeLimit(.minutes(2))) struct TypeTagTests {
    @Test func tagsAreThoseOfTheType() {
        #expect(UTType(tag: "JPG", tagClass: .filenameExtension, conformingTo: nil) == .jpeg)
        #expect(UTType(tag: "image/heic", tagClass: .mimeType, conformingTo: .image) == .heic)
        #expect(UTType(tag: "jpg", tagClass: .filenameExtension, conformingTo: .movie) == nil)
        #expect(UTType(tag: "jpg", tagClass: .init(rawValue: "x"), conformingTo: nil) == nil)
        let raws = UTType.types(tag: "raw", tagClass: .filenameExtension, conformingTo: .rawImage)
        #expect(raws.count == 2)
        #expect(UTType.jpeg.tags[.filenameExtension]?.first == "jpeg")
        #expect(UTType.jpeg.tags[.mimeType]?.first == "image/jpeg")
        #expect(UTType.image.tags.isEmpty)
    }

    @Test func namesGetTheirTypesExtension() {
        let folder = URL(fileURLWithPath: "/photos")
        let name = folder.appendingPathComponent("one", conformingTo: .heic)
        #expect(name.path == "/photos/one.heic")
        // Another extension of the type is acceptable.
        #expect(
            folder.appendingPathComponent("one.JPG", conformingTo: .jpeg).path == "/photos/one.JPG"
        )
        var movie = folder.appendingPathComponent("two")
        movie.appendPathExtension(for: .quickTimeMovie)
        #expect(movie.path == "/photos/two.mov")
        #expect(folder.appendingPathExtension(for: .image) == folder)
    }

    @Test(arguments: [
        AVFileType.mov, .mp4, .m4v, .m4a, .mobile3GPP, .mobile3GPP2, .jpg, .heic, .avci, .heif,
        .tif, .dng,
    ])
    func everyFileTypeIsDeclared(_ type: AVFileType) throws {
        let declared = try #require(UTType(type.rawValue))
        let name = try #require(declared.preferredFilenameExtension)
        #expect(UTType(filenameExtension: name) == declared)
        #expect(declared.preferredMIMEType != nil)
    }

    @Test func soundsOfMoviesAreMPEG4Audio() throws {
        let sound = try #require(UTType(filenameExtension: "m4a"))
        #expect(sound.identifier == AVFileType.m4a.rawValue)
        #expect(sound.conforms(to: .mpeg4Audio) && sound.conforms(to: .audio))
        #expect(UTType(filenameExtension: "mp4a") == .mpeg4Audio)
        #expect(UTType(mimeType: "audio/mp4", conformingTo: .audio) == sound)
    }

    @Test(arguments: [
        (UTType.pdf, "pdf"), (.json, "json"), (.svg, "svg"), (.mp3, "mp3"), (.zip, "zip"),
        (.plainText, "txt"),
    ])
    func whatLiesBesidePhotosIsDeclared(_ type: UTType, _ name: String) {
        #expect(UTType(filenameExtension: name) == type)
        #expect(type.conforms(to: .data))
    }
}
