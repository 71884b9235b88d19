import Foundation

/// Snowy peaks and their reflection in a lake.
struct LakeScene: Scene {
    private let sky: Sky
    private let peaks: Noise
    private let wood: Noise
    private let ripple: Noise
    private let drift: Float
    private let shore: Float = 0.6
    private let light: SIMD3<Float>
    private let lightFromRight: Float

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hours: [Sky.Hour] = [.morning, .noon, .evening]
        let hour = hours[Int(generator.next() % 3)]
        sky = Sky(hour: hour, horizon: 0.62, aspect: aspect, phase: phase, generator: &generator)
        peaks = Noise(seed: generator.next())
        wood = Noise(seed: generator.next())
        ripple = Noise(seed: generator.next())
        drift = phase * 0.2
        lightFromRight = sky.sun.x > aspect / 2 ? 1 : -1
        light =
            switch hour {
            case .evening, .dusk: SIMD3(0.98, 0.72, 0.62)
            case .morning: SIMD3(1, 0.93, 0.86)
            case .noon: SIMD3(1, 1, 1)
            }
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        if y <= shore { return land(x: x, y: y, pixel: pixel) }
        let depth = (y - shore) / (1 - shore)
        let distance = 1 / (depth + 0.08)
        let wave = ripple.fractal(x * distance * 4 + drift, distance * 9, octaves: 3) - 0.5
        let mirrored = shore - (y - shore) * 1.05 + wave * mix(0.01, 0.09, depth)
        let above = land(x: x + wave * 0.03 * depth, y: min(mirrored, shore - pixel), pixel: pixel)
        let water = SIMD3<Float>(0.07, 0.19, 0.25)
        let result = mix(above * 0.9, water, 0.12 + depth * 0.55)
        return mix(result, light * 0.9, smoothstep(0.03, 0, y - shore) * 0.12)
    }

    private func ridge(_ x: Float) -> Float {
        // Folding the noise turns its hills into ridges.
        let folded = 1 - abs(peaks.fractal(x * 1.5, 2.5, octaves: 6) * 2 - 1)
        return shore - 0.08 - folded * folded * 0.42
    }

    private func relief(_ x: Float, _ y: Float) -> Float {
        let folded = 1 - abs(peaks.fractal(x * 4 + y * 1.6, y * 2.6 - x * 1.1, octaves: 6) * 2 - 1)
        return folded * folded
    }

    private func land(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = sky.color(x: x, y: y, pixel: pixel)
        let line = ridge(x)
        if y > line - pixel {
            // The relief is a second field; its slope toward the light determines the brightness.
            let here = relief(x, y)
            let facing = (relief(x + 0.008 * lightFromRight, y - 0.004) - here) * 9
            let facets = here - 0.5
            let lit = 0.72 + min(max(facing, -0.36), 0.34)
            let snowline = shore - 0.2 + facets * 0.12
            let snow = smoothstep(snowline + 0.03, snowline - 0.03, y)
            let rock = mix(SIMD3(0.36, 0.38, 0.44), SIMD3(0.46, 0.42, 0.40), facets + 0.5)
            var mountain = mix(rock, SIMD3(0.95, 0.97, 1.0), snow) * lit * light
            mountain = mix(mountain, sky.low, 0.26)
            result = mix(result, mountain, smoothstep(line - pixel, line + pixel, y))
        }
        // The forest at the shore: a row of treetops.
        let tip = wood.value(x * 90, 1.5) * 0.035 + wood.fractal(x * 7, 3.5, octaves: 3) * 0.075
        let top = shore - 0.005 - tip
        let inside = smoothstep(top - pixel, top + pixel, y)
        let needles = wood.fractal(x * 130, y * 60, octaves: 2)
        let trees = mix(SIMD3(0.04, 0.12, 0.10), SIMD3(0.13, 0.25, 0.16), needles) * light
        return mix(result, trees, inside)
    }
}
