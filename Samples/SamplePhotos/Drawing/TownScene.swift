import Foundation

/// A town after sunset whose windows light up in turn.
struct TownScene: Scene {
    private let sky: Sky
    private let plan: Noise
    private let phase: Float
    private let ground: Float = 0.86

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        let hour: Sky.Hour = generator.next() % 3 == 0 ? .evening : .dusk
        sky = Sky(hour: hour, horizon: 0.82, aspect: aspect, phase: phase, generator: &generator)
        plan = Noise(seed: generator.next())
        self.phase = phase
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        if y > ground { return street(x: x, y: y, pixel: pixel) }
        var result = sky.color(x: x, y: y, pixel: pixel)
        for row in 0..<3 {
            result = houses(row: row, over: result, x: x, y: y, pixel: pixel)
        }
        return result
    }

    private func houses(
        row: Int,
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        let depth = Float(row) / 2
        let width = mix(0.075, 0.15, depth)
        let place = x / width + Float(row) * 7.3
        let house = Int32(place.rounded(.down))
        let inside = place - Float(house)
        let level = Int32(row * 31)
        let height = mix(0.26, 0.14, depth) + plan.cell(house, level) * mix(0.26, 0.20, depth)
        let roof = plan.cell(house, level + 1)
        var top = ground - height
        if roof > 0.6 { top += abs(inside - 0.5) * width * 0.9 }
        if roof < 0.14 { top -= smoothstep(0.03, 0.02, abs(inside - 0.5)) * 0.08 }
        guard y > top - pixel else { return background }
        let wall = mix(
            mix(sky.low * 0.5, SIMD3(0.16, 0.16, 0.30), 0.55),
            SIMD3(0.055, 0.05, 0.10),
            depth
        )
        var result = wall * (0.85 + 0.3 * plan.cell(house, level + 2))
        // The windows form a grid; the moment determines which are lit.
        let columns = 4 + (plan.cell(house, level + 3) * 3).rounded(.down)
        let across = inside * columns
        let down = (y - top) / (width / columns * 1.5)
        let column = Int32(across.rounded(.down))
        let floor = Int32(down.rounded(.down))
        let fx = abs(across - Float(column) - 0.5)
        let fy = abs(down - Float(floor) - 0.5)
        if floor >= 1 {
            let edge = pixel / width * columns
            let pane =
                smoothstep(0.3 + edge, 0.3 - edge, fx) * smoothstep(0.34 + edge, 0.34 - edge, fy)
            let chance = plan.cell(house * 61 + column, floor * 17 + level)
            let lit = chance > 0.52 - min(phase, 10) * 0.02
            let warm = mix(
                SIMD3(1, 0.72, 0.36),
                SIMD3(1, 0.90, 0.66),
                plan.cell(floor, house + column)
            )
            result = mix(
                result,
                lit ? warm * mix(0.75, 1, depth) : wall * 1.5,
                pane * (lit ? 1 : 0.5)
            )
        }
        return mix(background, result, smoothstep(top - pixel, top + pixel, y))
    }

    private func street(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        let depth = (y - ground) / (1 - ground)
        // Wet pavement: the houses upside down, smeared downwards.
        let wobble = plan.fractal(x * 30, y * 9, octaves: 3) - 0.5
        let mirrored = ground - (y - ground) * 1.6 - 0.01
        var reflected = sky.color(x: x + wobble * 0.02, y: mirrored, pixel: pixel)
        for row in 0..<3 {
            reflected = houses(
                row: row,
                over: reflected,
                x: x + wobble * 0.035,
                y: mirrored + wobble * 0.02,
                pixel: 0.004
            )
        }
        let stones = SIMD3<Float>(0.06, 0.06, 0.10) * (1 + wobble)
        return mix(stones, reflected, 0.5 - depth * 0.3)
    }
}
