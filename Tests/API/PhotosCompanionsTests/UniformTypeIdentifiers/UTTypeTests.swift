import Foundation
import PhotosCompanions
import Testing

@Suite(.timeLimit(.minutes(2))) struct UTTypeTests {
    static let formats: [(UTType, String, [String], String)] = [
        (.jpeg, "public.jpeg", ["jpg", "JPEG", "jpe"], "image/jpeg"),
        (.heic, "public.heic", ["heic"], "image/heic"),
        (.heif, "public.heif", ["heif", "hif"], "image/heif"),
        (.avif, "public.avif", ["avif"], "image/avif"), (.png, "public.png", ["png"], "image/png"),
        (.gif, "com.compuserve.gif", ["gif"], "image/gif"),
        (.webP, "org.webmproject.webp", ["webp"], "image/webp"),
        (.tiff, "public.tiff", ["tif", "TIFF"], "image/tiff"),
        (.bmp, "com.microsoft.bmp", ["bmp"], "image/bmp"),
        (.dng, "com.adobe.raw-image", ["DNG"], "image/x-adobe-dng"),
        (.quickTimeMovie, "com.apple.quicktime-movie", ["MOV", "qt"], "video/quicktime"),
        (.mpeg4Movie, "public.mpeg-4", ["mp4"], "video/mp4"),
        (.appleProtectedMPEG4Video, "com.apple.m4v-video", ["m4v"], "video/x-m4v"),
        (.threeGPP, "public.3gpp", ["3gp"], "video/3gpp"),
        (.avi, "public.avi", ["avi"], "video/x-msvideo"),
        (.matroska, "org.matroska.mkv", ["mkv"], "video/x-matroska"),
    ]

    @Test(arguments: formats)
    func typesKnowTheirNames(_ row: (UTType, String, [String], String)) throws {
        let (type, identifier, extensions, mimeType) = row
        #expect(type.identifier == identifier)
        #expect(UTType(identifier) == type)
        #expect(type.preferredMIMEType == mimeType)
        #expect(UTType(mimeType: mimeType) == type)
        for name in extensions { #expect(UTType(filenameExtension: name) == type) }
        let preferred = try #require(type.preferredFilenameExtension)
        #expect(UTType(filenameExtension: preferred) == type)
        #expect(type.conforms(to: .image) != type.conforms(to: .movie))
        #expect(type.conforms(to: .data) && type.conforms(to: type))
        #expect(!type.isSubtype(of: type))
    }

    @Test(arguments: ["cr2", "CR3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw", "3fr", "iiq"])
    func makersRawsAreRawImages(_ name: String) throws {
        let type = try #require(UTType(filenameExtension: name))
        #expect(type.conforms(to: .rawImage) && type.conforms(to: .image))
        #expect(type.preferredFilenameExtension == name.lowercased())
    }

    @Test func unknownTypesAreNotDeclared() {
        #expect(UTType("com.example.unknown") == nil)
        #expect(UTType(filenameExtension: "unknown") == nil)
        #expect(UTType(filenameExtension: "jpg", conformingTo: .movie) == nil)
        let imported = UTType(importedAs: "com.example.unknown")
        #expect(imported.identifier == "com.example.unknown" && !imported.isDeclared)
        #expect(imported.conforms(to: imported) && !imported.conforms(to: .data))
        #expect(imported.preferredFilenameExtension == nil)
    }

    @Test func constantsAreDeclared() {
        for type in [
            UTType.item, .data, .content, .image, .rawImage, .audiovisualContent, .movie, .video,
            .audio, .livePhoto, .heics, .jpegxl, .jpeg2000, .webM, .mpeg, .mpeg2TransportStream,
            .text, .xml, .propertyList,
        ] { #expect(type.isDeclared, "\(type)") }
    }
}
