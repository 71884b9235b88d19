internal import Glibc

/// A tone mapper that converts HDR pixels to 8-bit SDR pixels for files.
enum PlainPixels {
    /// The linear brightness up to which light is unchanged and above which it is compressed.
    private static let knee: Float = 0.8
    private static let steps = 4096

    /// A table that maps linear light from 0 to 1 to nonlinear Display P3 values.
    private static let signals: [UInt8] = (0...steps).map { step in
        let light = Double(step) / Double(steps)
        let signal =
            light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((min(1, max(0, signal)) * 255).rounded())
    }

    /// Converts half-precision pixels of extended linear Display P3 to 8-bit Display P3.
    static func make(of halves: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) {
        let source = halves.bindMemory(to: Float16.self)
        for index in 0..<min(source.count, bytes.count) {
            let value = Float(source[index])
            bytes[index] =
                index % 4 == 3
                ? UInt8(min(1, max(0, value)) * 255 + 0.5) : signal(compressed(value))
        }
    }

    private static func signal(_ light: Float) -> UInt8 {
        guard light > 0 else { return 0 }
        return signals[Int(min(1, light) * Float(steps) + 0.5)]
    }

    private static func compressed(_ light: Float) -> Float {
        guard light > knee, light.isFinite else { return light > knee ? 1 : light }
        let excess = (light - knee) / (1 - knee)
        return knee + (1 - knee) * excess / (1 + excess)
    }
}
