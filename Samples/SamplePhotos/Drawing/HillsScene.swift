import Foundation

/// Several ridges under a wide sky, with a meadow as the nearest one.
struct HillsScene: Scene {
    private let sky: Sky
    private let ridges: [Noise]
    private let near: SIMD3<Float>
    private let grass: Noise
    private let lightFromRight: Float
    private let count: Int

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hours: [Sky.Hour] = [.morning, .noon, .evening, .dusk]
        let hour = hours[Int(generator.next() % 4)]
        sky = Sky(
            hour: hour,
            horizon: 0.62,
            aspect: aspect,
            phase: phase,
            generator: &generator
        )
        count = 5
        lightFromRight = sky.sun.x > aspect / 2 ? 1 : -1
        ridges = (0..<5).map { _ in Noise(seed: generator.next()) }
        let greens: [UInt32] = [0x3F6B2F, 0x55752B, 0x2F5A3C, 0x6A7A2E]
        let light: Float = hour == .dusk ? 0.28 : hour == .evening ? 0.62 : 1
        near = rgb(greens[Int(generator.next() % 4)]) * light
        grass = Noise(seed: generator.next())
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = sky.color(x: x, y: y, pixel: pixel)
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let base = mix(0.50, 0.84, depth)
            let height = mix(0.16, 0.12, depth)
            let scale = mix(2.6, 1.3, depth)
            let ridge = ridges[index]
            let line = base - height * (ridge.fractal(x * scale + 3, 0.5, octaves: 6) - 0.35) * 1.6
            let inside = smoothstep(line - pixel, line + pixel, y)
            if inside == 0 { continue }
            let below = y - line
            // Haze blends distant ridges into the color of the sky above the horizon.
            let haze = mix(0.78, 0.02, depth.squareRoot())
            var ground = mix(near * mix(1.25, 0.9, depth), sky.low, haze)
            // Light comes from the sun's side: slopes that face it are brighter.
            let next =
                base - height * (ridge.fractal(x * scale + 3.06, 0.5, octaves: 3) - 0.35) * 1.6
            let slope = (next - line) * lightFromRight * -6
            ground *= 1 + min(max(slope, -0.25), 0.25) * (1 - haze)
            let texture = grass.fractal(x * mix(18, 46, depth), y * mix(30, 70, depth), octaves: 3)
            ground *= 1 + (texture - 0.5) * mix(0.08, 0.55, depth)
            ground = mix(ground, sky.low, smoothstep(0.25, 0, below) * haze * 0.25)
            result = mix(result, ground, inside)
        }
        return result
    }
}
