import Foundation

/// Firs in falling snow.
struct WinterScene: Scene {
    private struct Tree {
        var x: Float
        var base: Float
        var height: Float
        var seed: Int32
    }

    private let sky: Sky
    private let snow: Noise
    private var trees: [Tree] = []
    private let phase: Float

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hour: Sky.Hour = generator.next() % 2 == 0 ? .morning : .evening
        sky = Sky(hour: hour, horizon: 0.6, aspect: aspect, phase: phase, generator: &generator)
        snow = Noise(seed: generator.next())
        self.phase = phase
        for index in 0..<26 {
            let near = Float(index) / 25
            trees.append(
                Tree(
                    x: generator.float(in: -0.05...aspect + 0.05),
                    base: mix(0.62, 0.93, near * near),
                    height: mix(0.13, 0.5, near * near) * generator.float(in: 0.8...1.15),
                    seed: Int32(truncatingIfNeeded: generator.next() % 10_000)
                )
            )
        }
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = sky.color(x: x, y: y, pixel: pixel)
        let field = 0.6 - 0.05 * (snow.fractal(x * 1.5, 0.5, octaves: 3) - 0.5)
        if y > field - pixel {
            let drifts = snow.fractal(x * 3, y * 9, octaves: 4)
            let blue = mix(SIMD3(0.70, 0.78, 0.92), SIMD3(0.97, 0.97, 1), drifts * 1.2)
            let ground = mix(blue, sky.glow, 0.16 + 0.2 * smoothstep(0.85, 0.6, y))
            result = mix(result, ground, smoothstep(field - pixel, field + pixel, y))
        }
        for tree in trees { result = draw(tree, over: result, x: x, y: y, pixel: pixel) }
        return falling(over: result, x: x, y: y, pixel: pixel)
    }

    private func draw(
        _ tree: Tree,
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        let up = (tree.base - y) / tree.height
        guard up > -0.08, up < 1.02, abs(x - tree.x) < tree.height * 0.34 else { return background }
        let dx = x - tree.x
        var result = background
        if up < 0.06 {
            let trunk = abs(dx) - tree.height * 0.022
            result = mix(result, SIMD3(0.18, 0.12, 0.10), smoothstep(pixel, -pixel, trunk))
        }
        guard up > 0.03 else { return result }
        // Tiers of branches: a sawtooth that narrows toward the tip.
        let tiers = up * 7
        let tier = tiers - tiers.rounded(.down)
        let jag = snow.value(dx / tree.height * 26 + Float(tree.seed), up * 30) * 0.05
        let reach = (1.02 - up) * 0.27 * mix(1, 0.62, tier) + jag * (1 - up)
        let outside = abs(dx) - reach * tree.height
        let haze = smoothstep(0.5, 0.1, tree.height) * 0.5
        let needles = snow.fractal(dx / tree.height * 60, up * 60 + Float(tree.seed), octaves: 2)
        var green = mix(SIMD3(0.05, 0.13, 0.12), SIMD3(0.15, 0.28, 0.22), needles)
        let white = smoothstep(0.42, 0.05, tier) * smoothstep(0.35, 0.6, needles + 0.2)
        green = mix(green, SIMD3(0.94, 0.96, 1), white * 0.92)
        green = mix(green, sky.low, haze)
        return mix(result, green, smoothstep(pixel, -pixel, outside))
    }

    private func falling(
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        var result = background
        for layer in 0..<3 {
            let scale = Float(9 + layer * 7)
            let px = (x + sinf(phase + Float(layer)) * 0.01) * scale
            let py = (y - phase * 0.12) * scale
            let column = Int32(px.rounded(.down))
            let row = Int32(py.rounded(.down))
            let level = Int32(layer * 977)
            guard snow.cell(column + level, row) > 0.5 else { continue }
            let dx = px - Float(column) - 0.2 - 0.6 * snow.cell(row + level, column + 3)
            let dy = py - Float(row) - 0.2 - 0.6 * snow.cell(column + level, row + 7)
            let away = (dx * dx + dy * dy).squareRoot()
            result = mix(result, SIMD3(1, 1, 1), smoothstep(0.09, 0.03, away) * 0.75)
        }
        return result
    }
}
