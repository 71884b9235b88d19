import AVKit
import AppKit
import Cocoa
import CoreImage
import Testing
import UIKit

/// Programs' tests import Apple's modules together with Testing, and the compiler adds a
/// cross-import module.
@Suite(.timeLimit(.minutes(2))) struct CrossImportTests {
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
