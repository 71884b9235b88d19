import Foundation

/// The Milky Way over a dark ridge, with a glowing tent.
struct NightScene: Scene {
    private let noise: Noise
    private let ridge: Noise
    private let tilt: Float
    private let center: Float
    private let tent: Float
    private let phase: Float

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        noise = Noise(seed: generator.next())
        ridge = Noise(seed: generator.next())
        tilt = generator.float(in: -0.9 ... -0.4)
        center = aspect * generator.float(in: 0.5...0.8)
        tent = aspect * generator.float(in: 0.2...0.45)
        self.phase = phase
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        let line = ground(x)
        var result = stars(x: x, y: y, pixel: pixel)
        let dark =
            SIMD3<Float>(0.012, 0.014, 0.03) * (1 + noise.fractal(x * 30, y * 30, octaves: 3))
        result = mix(result, dark, smoothstep(line - pixel, line + pixel, y))
        return drawTent(over: result, x: x, y: y, pixel: pixel)
    }

    private func ground(_ x: Float) -> Float {
        0.88 - ridge.fractal(x * 1.7, 0.5, octaves: 6) * 0.2
    }

    private func stars(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = mix(SIMD3(0.015, 0.03, 0.09), SIMD3(0.10, 0.13, 0.22), y * y)
        result += SIMD3(0.25, 0.16, 0.10) * smoothstep(0.55, 0.95, y) * 0.6
        // The band: the distance from a slanted line, with frayed edges and dust lanes.
        let away = x - center - (y - 0.5) * tilt
        let frayed = away + (noise.fractal(x * 3, y * 3, octaves: 4) - 0.5) * 0.25
        let band = expf(-frayed * frayed * 18)
        let cloud = noise.fractal(x * 5 + 3, y * 5, octaves: 6)
        let dust = smoothstep(0.46, 0.62, noise.fractal(x * 4 - 7, y * 7, octaves: 5))
        let glow = mix(SIMD3(0.30, 0.36, 0.58), SIMD3(0.72, 0.58, 0.52), cloud)
        result += glow * band * cloud * 1.15 * (1 - dust * 0.75 * expf(-frayed * frayed * 60))
        for (index, scale) in [Float(34), 62, 110].enumerated() {
            let px = (x + phase * 0.0008) * scale
            let py = y * scale
            let column = Int32(px.rounded(.down))
            let row = Int32(py.rounded(.down))
            let level = Int32(index * 1_009)
            let chance = noise.cell(column + level, row)
            guard chance > 0.72 - band * 0.3 else { continue }
            let dx = px - Float(column) - 0.2 - 0.6 * noise.cell(row + level, column)
            let dy = py - Float(row) - 0.2 - 0.6 * noise.cell(column, row + level + 1)
            let size = max(0.04 + 0.09 * (chance - 0.72), pixel * scale * 0.6)
            let light = expf(-(dx * dx + dy * dy) / (size * size)) * (index == 0 ? 1 : 0.6)
            let hue = noise.cell(row, column + level + 2)
            result += mix(SIMD3(0.75, 0.85, 1), SIMD3(1, 0.86, 0.7), hue) * light
        }
        return result
    }

    private func drawTent(
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        let base = ground(tent) + 0.035
        let dx = x - tent
        let up = base - y
        let away = (dx * dx + (up - 0.03) * (up - 0.03)).squareRoot()
        var result = background + SIMD3(1, 0.55, 0.2) * 0.28 * expf(-away * 16)
        let outside = max(abs(dx) - 0.085 * (1 - up / 0.1), -up)
        let inside = smoothstep(pixel, -pixel, outside) * smoothstep(0.1, 0.098, up)
        let cloth = mix(SIMD3(1, 0.80, 0.42), SIMD3(0.86, 0.36, 0.12), up / 0.1)
        let seam = smoothstep(0.002, 0.004, abs(dx - up * 0.25))
        result = mix(result, cloth * mix(0.7, 1, seam), inside)
        return result
    }
}
