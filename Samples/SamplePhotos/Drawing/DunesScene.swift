import Foundation

/// Dunes in slanting light: lit flanks, deep shadows, ripples of sand.
struct DunesScene: Scene {
    private let sky: Sky
    private let shapes: [Noise]
    private let sand: Noise
    private let tint: SIMD3<Float>
    private let lightFromRight: Float

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hours: [Sky.Hour] = [.morning, .noon, .evening]
        let hour = hours[Int(generator.next() % 3)]
        sky = Sky(hour: hour, horizon: 0.5, aspect: aspect, phase: phase, generator: &generator)
        shapes = (0..<4).map { _ in Noise(seed: generator.next()) }
        sand = Noise(seed: generator.next())
        lightFromRight = sky.sun.x > aspect / 2 ? 1 : -1
        let evening = hour == .evening
        tint = evening ? rgb(0xE8894A) : rgb(0xE3B778)
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = sky.color(x: x, y: y, pixel: pixel)
        for (index, shape) in shapes.enumerated() {
            let depth = Float(index) / 3
            let base = mix(0.52, 0.9, depth)
            let height = mix(0.1, 0.34, depth)
            let scale = mix(2.2, 0.8, depth)
            let crest = base - height * (shape.fractal(x * scale, 0.5, octaves: 2) - 0.32)
            guard y > crest - pixel else { continue }
            let below = y - crest
            // The edge between light and shadow winds down from the crest.
            let bend = shape.fractal(y * 2.4 + Float(index), 8.5, octaves: 2) - 0.5
            let edge = shape.fractal(x * scale + 0.35 + bend * 0.5 + below * 1.2, 0.5, octaves: 2)
            let here = shape.fractal(x * scale + 0.3 + bend * 0.5 + below * 1.2, 0.5, octaves: 2)
            let facing = smoothstep(-0.006, 0.008, (edge - here) * lightFromRight)
            let ripples = sin(
                (y * 420 + sand.fractal(x * 7, y * 7, octaves: 3) * 60) * mix(1.4, 0.6, depth)
            )
            let grains = sand.fractal(x * 160, y * 160, octaves: 2) - 0.5
            var lit = tint * (1.02 + grains * 0.12 + ripples * 0.035 * depth)
            lit = mix(lit, sky.glow, 0.14 * smoothstep(0.1, 0, below))
            let shadow = mix(tint * 0.42, SIMD3(0.34, 0.27, 0.38), 0.45) * (1 + grains * 0.1)
            var dune = mix(shadow, lit, facing)
            dune = mix(dune, sky.low, mix(0.5, 0, depth.squareRoot()))
            result = mix(result, dune, smoothstep(crest - pixel, crest + pixel, y))
        }
        return result
    }
}
