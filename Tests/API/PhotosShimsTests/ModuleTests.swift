import AVFoundation
import AVKit
import CoreImage
import CoreLocation
import CoreMedia
import Foundation
import ImageIO
import MobileCoreServices
import Testing
import UniformTypeIdentifiers

/// Each of Apple's modules has its names, as programs qualify them.
@Suite(.timeLimit(.minutes(1))) struct ModuleTests {
    @Test func namesAreThoseOfTheirModules() throws {
        let url = URL(fileURLWithPath: "/photos/a.mov")
        #expect(AVFoundation.AVURLAsset(url: url).url == url)
        #expect(AVKit.AVAsset(url: url) is AVKit.AVURLAsset)
        #expect(CoreMedia.CMTimeMake(value: 3, timescale: 2).seconds == 1.5)
        #expect(CoreLocation.CLLocation(latitude: 1, longitude: 2).coordinate.longitude == 2)
        #expect(ImageIO.CGImageSourceCreateWithData(NSData(), nil) == nil)
        #expect(ImageIO.CGImageDestinationCopyTypeIdentifiers().contains("public.jpeg"))
        #expect(MobileCoreServices.kUTTypeJPEG as String == "public.jpeg")
        #expect(UniformTypeIdentifiers.UTType.heic.identifier == "public.heic")
        #expect(CoreImage.CIFilter(name: "CIColorInvert")?.name == "CIColorInvert")
    }
}
