import Foundation
import PhotoModel
import SamplePhotos

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "samples")
for kind in SceneKind.allCases {
    for seed: UInt64 in 1...4 {
        let photo = SamplePhoto(Picture(kind, seed: seed), size: PixelSize(width: 960, height: 720))
        let file = SampleFile(name: "\(kind)\(seed).jpg", data: try SampleFile.jpeg(photo))
        print(try file.write(to: folder).path)
    }
}
