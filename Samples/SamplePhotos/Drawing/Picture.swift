package import Foundation
package import PhotoModel
package import RenditionCodec

/// A drawing of a scene at a moment.
package struct Picture: Hashable, Sendable {
    package var kind: SceneKind
    package var seed: UInt64
    /// The seconds since the start of the scene, which determine how far its moving parts have
    /// moved.
    package var phase: Float

    package init(_ kind: SceneKind, seed: UInt64, phase: Float = 0) {
        self.kind = kind
        self.seed = seed
        self.phase = phase
    }

    /// Draws the picture so that a viewer that applies `orientation` shows it upright.
    ///
    /// `size` is as displayed; the stored sides are swapped for orientations 5 to 8. `grain` is the
    /// strength of a sensor's noise, 0...1; without it, files are unnaturally small.
    package func drawn(
        size: PixelSize,
        orientation: Orientation = .up,
        grain: Float = 0.02
    ) -> RGBImage {
        let scene = kind.scene(
            seed: seed,
            phase: phase,
            aspect: Float(size.width) / Float(max(size.height, 1))
        )
        return RGBImage(
            scene: scene,
            displayed: size,
            orientation: orientation,
            grain: grain,
            seed: seed &+ UInt64(phase.bitPattern)
        )
    }
}

/// Pixels of eight bits per channel, in rows without padding.
package struct RGBImage: Hashable, Sendable {
    /// The size as stored.
    package let size: PixelSize
    package private(set) var bytes: [UInt8]

    package init(size: PixelSize, bytes: [UInt8]) {
        precondition(bytes.count == size.width * size.height * 3, "three bytes for each pixel")
        self.size = size
        self.bytes = bytes
    }

    init(
        scene: any Scene,
        displayed: PixelSize,
        orientation: Orientation,
        grain: Float,
        seed: UInt64
    ) {
        let stored = displayed.displayed(with: orientation)
        size = stored
        bytes = [UInt8](unsafeUninitializedCapacity: stored.width * stored.height * 3) {
            buffer,
            count in
            var painter = Painter(displayed: displayed, grain: grain, seed: seed)
            painter.paint(scene, into: buffer, stored: stored, orientation: orientation)
            count = buffer.count
        }
    }

    /// Encodes it as a JPEG without metadata.
    package func jpeg(
        quality: Int = 88,
        subsampling: JPEGEncoder.Subsampling = .s420
    ) throws(RenditionCodecError) -> Data {
        let encoder = JPEGEncoder(quality: quality, subsampling: subsampling)
        var result: Result<Data, RenditionCodecError>?
        bytes.withUnsafeBytes { buffer in
            result = Result { () throws(RenditionCodecError) in
                try encoder.encode(PixelRows(bytes: buffer, size: size))
            }
        }
        return try result?.get() ?? Data()
    }

    /// Returns a reduced picture, in which each pixel is the average of a block of `factor` ×
    /// `factor`.
    package func shrunk(by factor: Int) -> RGBImage {
        let small = PixelSize(
            width: max(1, size.width / factor),
            height: max(1, size.height / factor)
        )
        var result = [UInt8](repeating: 0, count: small.width * small.height * 3)
        for y in 0..<small.height {
            for x in 0..<small.width {
                for channel in 0..<3 {
                    var sum = 0
                    var number = 0
                    for row in (y * factor)..<min(y * factor + factor, size.height) {
                        for column in (x * factor)..<min(x * factor + factor, size.width) {
                            sum += Int(bytes[(row * size.width + column) * 3 + channel])
                            number += 1
                        }
                    }
                    result[(y * small.width + x) * 3 + channel] = UInt8(sum / max(number, 1))
                }
            }
        }
        return RGBImage(size: small, bytes: result)
    }
}

/// Fills a buffer from a scene, pixel by pixel.
private struct Painter {
    let displayed: PixelSize
    let grain: Float
    private let pixel: Float
    private var noise: UInt64

    init(displayed: PixelSize, grain: Float, seed: UInt64) {
        self.displayed = displayed
        self.grain = grain
        pixel = 1 / Float(displayed.height)
        noise = seed | 1
    }

    mutating func paint(
        _ scene: some Scene,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        stored: PixelSize,
        orientation: Orientation
    ) {
        var index = 0
        for row in 0..<stored.height {
            for column in 0..<stored.width {
                let place = place(column, row, stored: stored, orientation: orientation)
                let color = scene.color(
                    x: (Float(place.x) + 0.5) * pixel,
                    y: (Float(place.y) + 0.5) * pixel,
                    pixel: pixel
                )
                let light = nextGrain()
                for channel in 0..<3 {
                    let value = min(max(color[channel] + light, 0), 1) * 255 + 0.5
                    buffer[index] = UInt8(value)
                    index += 1
                }
            }
        }
    }

    /// Returns where a stored pixel is displayed after the orientation is applied (EXIF 2.32, table
    /// 6).
    private func place(
        _ x: Int,
        _ y: Int,
        stored: PixelSize,
        orientation: Orientation
    ) -> (x: Int, y: Int) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        return switch orientation {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (bottom - y, x)
        case .rightMirrored: (bottom - y, right - x)
        case .left: (y, right - x)
        }
    }

    // A xorshift generator: in a dark sky, most of the time goes into the grain, so it must be
    // cheap.
    private mutating func nextGrain() -> Float {
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        return (Float(noise >> 40) / Float(1 << 24) - 0.5) * grain * 2
    }
}
