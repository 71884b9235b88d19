import Foundation
import Photos
import Testing

/// What programs use that Foundation and Dispatch lack on Linux.
@Suite struct FoundationGapTests {
    @Test func placesOfCellsAreSectionAndRow() {
        var place = IndexPath(item: 7, section: 2)
        #expect(place == IndexPath(indexes: [2, 7]))
        #expect(place == IndexPath(row: 7, section: 2))
        #expect(place.section == 2)
        #expect(place.row == 7)
        #expect(place.item == 7)
        place.item = 3
        place.section = 0
        #expect(place == IndexPath(row: 3, section: 0))
    }

    @Test func dispatchConstantsAreThoseOfC() {
        #expect(NSEC_PER_SEC == 1_000_000_000)
        #expect(NSEC_PER_SEC == NSEC_PER_MSEC * 1000)
        #expect(NSEC_PER_MSEC == NSEC_PER_USEC * 1000)
        #expect(USEC_PER_SEC * NSEC_PER_USEC == NSEC_PER_SEC)
    }

    @Test func coreFoundationNamesCastAsOnAppleSystems() throws {
        let url = URL(fileURLWithPath: "/photo.jpg")
        #expect((url as CFURL) as URL == url)
        #expect(kUTTypeJPEG as String == UTType.jpeg.identifier)
        let options = [kUTTypeImage: true, kUTTypeMovie: 2] as CFDictionary
        let byName = try #require(options as? [String: Any])
        #expect(byName["public.image"] as? Bool == true)
        #expect(byName[kUTTypeMovie as String] as? Int == 2)
        #expect(kCFBooleanTrue as? Bool == true)
        #expect(kCFBooleanFalse?.boolValue == false)
    }
}

/// The functions and constants from before `UTType`.
@Suite struct OldTypeFunctionTests {
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
