import Foundation

/// The sea in the evening: the sun's path on the water, and a sailing boat.
struct SeaScene: Scene {
    private let sky: Sky
    private let waves: Noise
    private let boat: SIMD2<Float>
    private let water: SIMD3<Float>

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hours: [Sky.Hour] = [.evening, .evening, .morning, .noon]
        let hour = hours[Int(generator.next() % 4)]
        sky = Sky(
            hour: hour,
            horizon: generator.float(in: 0.48...0.58),
            aspect: aspect,
            phase: phase,
            generator: &generator
        )
        waves = Noise(seed: generator.next())
        boat = SIMD2(aspect * generator.float(in: 0.2...0.7) + phase * 0.05, sky.horizon + 0.02)
        water = hour == .noon ? rgb(0x0F5E7D) : rgb(0x22385C)
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result: SIMD3<Float>
        if y < sky.horizon {
            result = sky.color(x: x, y: y, pixel: pixel)
        } else {
            let depth = (y - sky.horizon) / (1 - sky.horizon)
            let distance = 1 / (depth + 0.035)
            let height = waves.fractal(x * distance * 3.2, distance * 7, octaves: 4) - 0.5
            let bend = height * mix(0.02, 0.16, depth)
            let mirrored = max(0.02, sky.horizon - (y - sky.horizon) * 0.9 + bend)
            let above = sky.color(x: x + bend * 0.6, y: mirrored, pixel: pixel)
            result = mix(above * 0.86, water, smoothstep(0, 1.1, depth + height * 0.9))
            // The sun's path: broad near the viewer, broken up by the waves.
            let width = mix(0.05, 0.2, depth)
            let path = expf(-(x - sky.sun.x) * (x - sky.sun.x) / (width * width))
            let glint = smoothstep(0.02, 0.2, height + 0.06) * path
            result += sky.glow * glint * 0.75
        }
        return drawBoat(over: result, x: x, y: y, pixel: pixel)
    }

    private func drawBoat(
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        let dx = x - boat.x
        let dy = y - boat.y
        guard abs(dx) < 0.09, dy > -0.17, dy < 0.03 else { return background }
        var result = background
        let hull = smoothstep(pixel, -pixel, max(abs(dx) - (0.055 - dy * 1.2), abs(dy) - 0.012))
        result = mix(result, SIMD3(0.16, 0.10, 0.09), hull)
        let up = -dy
        let main = max(dx - 0.058 * (1 - (up - 0.02) / 0.135), max(-dx + 0.003, 0.02 - up))
        let sail = SIMD3<Float>(0.96, 0.92, 0.85) * (sky.hour == .noon ? 1 : 0.82)
        result = mix(result, sail, smoothstep(pixel, -pixel, main) * (up < 0.155 ? 1 : 0))
        let jib = max(-dx - 0.045 * (1 - (up - 0.02) / 0.11), max(dx + 0.003, 0.02 - up))
        return mix(result, sail * 0.9, smoothstep(pixel, -pixel, jib) * (up < 0.13 ? 1 : 0))
    }
}
