import AVKit
import AppKit
import Cocoa
import CoreImage
import Testing
import UIKit

/// Tests of programs import Apple's modules beside Testing, and the compiler adds a module for both.
@Suite struct CrossImportTests {
    @Test func namesOfBothAreThere() throws {
        let image = NSImage(
            ciImage: CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 2, height: 1))
        )
        #expect(image.size == CGSize(width: 2, height: 1))
        let filter = try #require(CIFilter(name: "CIPhotoEffectNoir"))
        #expect(filter.name == "CIPhotoEffectNoir")
        #expect(UIImage().cgImage == nil)
    }
}
