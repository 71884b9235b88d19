/// A phone's screen without text: rows of icons over a gradient, and a dock.
struct DesktopScene: Scene {
    private let top: SIMD3<Float>
    private let bottom: SIMD3<Float>
    private let aspect: Float
    private let icons: Noise
    private let columns: Float = 4

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let pairs: [(UInt32, UInt32)] = [
            (0x2B5876, 0x4E4376), (0x134E5E, 0x71B280), (0xC04848, 0x480048), (0x355C7D, 0xF67280),
        ]
        let pair = pairs[Int(generator.next() % 4)]
        top = rgb(pair.0)
        bottom = rgb(pair.1)
        icons = Noise(seed: generator.next())
        self.aspect = aspect
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        // The steps of the gradient keep adjacent rows equal, as in real screenshots.
        var result = mix(top, bottom, (y * 96).rounded(.down) / 96)
        let cell = aspect / columns
        let dock = 1 - cell * 1.25
        if y > dock {
            let inset = cell * 0.12
            let panel = box(
                SIMD2(x - aspect / 2, y - dock - cell * 0.55),
                half: SIMD2(aspect / 2 - inset, cell * 0.55),
                radius: cell * 0.3
            )
            result = mix(result, SIMD3(1, 1, 1), smoothstep(pixel, -pixel, panel) * 0.25)
        }
        let start = cell * 0.55
        let line = y > dock ? dock + cell * 0.05 : start
        let row = ((y - line) / (cell * (y > dock ? 1 : 1.2))).rounded(.down)
        guard row >= 0, y > dock || line + (row + 1) * cell * 1.2 < dock else { return result }
        let column = min(max((x / cell).rounded(.down), 0), columns - 1)
        let middle = SIMD2((column + 0.5) * cell, line + row * cell * 1.2 + cell * 0.5)
        let at = SIMD2(x, y) - middle
        let index = Int32(row) * 4 + Int32(column) + (y > dock ? 100 : 0)
        guard y > dock || icons.cell(index, 9) > 0.12 else { return result }
        let tile = box(at, half: SIMD2(cell * 0.33, cell * 0.33), radius: cell * 0.15)
        let hue = icons.cell(index, 1)
        let shade = wheel(hue)
        result = mix(result, shade, smoothstep(pixel, -pixel, tile))
        let sign: Float
        switch Int(icons.cell(index, 2) * 3) {
        case 0: sign = (at * at).sum().squareRoot() - cell * 0.17
        case 1: sign = box(at, half: SIMD2(cell * 0.16, cell * 0.11), radius: cell * 0.03)
        default: sign = max(abs(at.x) * 0.9 + at.y * 0.55, -at.y) - cell * 0.12
        }
        return mix(result, SIMD3(1, 1, 1), smoothstep(pixel, -pixel, sign) * 0.95)
    }

    private func wheel(_ hue: Float) -> SIMD3<Float> {
        let colors: [UInt32] = [
            0x34C759, 0x007AFF, 0xFF9500, 0xFF2D55, 0x5856D6, 0x8E8E93, 0xFFCC00,
        ]
        return rgb(colors[min(Int(hue * 7), 6)])
    }

    /// Returns the distance to the edge of a box with round corners; negative inside.
    private func box(_ p: SIMD2<Float>, half: SIMD2<Float>, radius: Float) -> Float {
        let qx = abs(p.x) - half.x + radius
        let qy = abs(p.y) - half.y + radius
        let corner = (max(qx, 0) * max(qx, 0) + max(qy, 0) * max(qy, 0)).squareRoot()
        return corner + min(max(qx, qy), 0) - radius
    }
}
