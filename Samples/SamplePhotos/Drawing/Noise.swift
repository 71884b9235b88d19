/// Smooth noise over the plane: the texture of clouds, hills and water.
struct Noise: Sendable {
    private let seed: UInt32

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.seed = UInt32(truncatingIfNeeded: generator.next())
    }

    /// Returns a pseudorandom number, 0..<1, which is the same for the same cell.
    @inline(__always)
    func cell(_ x: Int32, _ y: Int32) -> Float {
        var hash = UInt32(bitPattern: x) &* 0x8DA6_B343
        hash ^= UInt32(bitPattern: y) &* 0xD816_3841
        hash ^= seed
        hash = (hash ^ (hash >> 15)) &* 0x2C1B_3C6D
        hash = (hash ^ (hash >> 12)) &* 0x297A_2D39
        hash ^= hash >> 15
        return Float(hash >> 8) * (1 / Float(1 << 24))
    }

    /// Returns smoothly varying noise, 0...1, with features of about 1.
    @inline(__always)
    func value(_ x: Float, _ y: Float) -> Float {
        let left = x.rounded(.down)
        let top = y.rounded(.down)
        let column = Int32(left)
        let row = Int32(top)
        let across = ease(x - left)
        let down = ease(y - top)
        let upper = mix(cell(column, row), cell(column &+ 1, row), across)
        let lower = mix(cell(column, row &+ 1), cell(column &+ 1, row &+ 1), across)
        return mix(upper, lower, down)
    }

    /// Returns the sum of octaves of ``value(_:_:)``, 0...1.
    @inline(__always)
    func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var sum: Float = 0
        var amplitude: Float = 0.5
        var scale: Float = 1
        var total: Float = 0
        for octave in 0..<octaves {
            // Each octave is shifted, so that their grids do not align.
            let shift = Float(octave) * 17.3
            sum += amplitude * value(x * scale + shift, y * scale - shift)
            total += amplitude
            amplitude *= 0.5
            scale *= 2.03
        }
        return sum / total
    }

    @inline(__always)
    private func ease(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}

/// Interpolates linearly between two colors or points.
@inline(__always)
func mix(_ from: Float, _ to: Float, _ amount: Float) -> Float { from + (to - from) * amount }

@inline(__always)
func mix(_ from: SIMD3<Float>, _ to: SIMD3<Float>, _ amount: Float) -> SIMD3<Float> {
    from + (to - from) * amount
}

/// Returns 0 below `low`, 1 above `high`, and a smooth transition between.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

/// Creates a color from hexadecimal digits in the usual notation.
func rgb(_ hex: UInt32) -> SIMD3<Float> {
    SIMD3(
        Float((hex >> 16) & 0xFF) / 255,
        Float((hex >> 8) & 0xFF) / 255,
        Float(hex & 0xFF) / 255
    )
}
