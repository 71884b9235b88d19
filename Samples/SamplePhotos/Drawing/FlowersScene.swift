import Foundation

/// A close flower with the meadow behind it out of focus.
struct FlowersScene: Scene {
    private struct Flower {
        var center: SIMD2<Float>
        var radius: Float
        var petals: Float
        var turn: Float
        var color: SIMD3<Float>
        var heart: SIMD3<Float>
    }

    private var flowers: [Flower] = []
    private var lights: [(center: SIMD2<Float>, radius: Float, color: SIMD3<Float>)] = []
    private let blur: Noise
    private let sway: Float

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        blur = Noise(seed: generator.next())
        sway = sin(phase * 1.7) * 0.02
        let colors: [UInt32] = [0xE2557A, 0xF2A33A, 0xF6F1E7, 0x8E6BD1, 0xE8463A, 0xF5D442]
        let first = Int(generator.next() % 6)
        for index in 0..<34 {
            let tone = rgb(index % 3 == 0 ? colors[(first + index) % 6] : 0xBFD98A)
            lights.append(
                (
                    SIMD2(generator.float(in: 0...aspect), generator.float(in: 0...1)),
                    generator.float(in: 0.02...0.075), tone
                )
            )
        }
        let spots: [(Float, Float, Float)] = [
            (0.24, 0.34, 0.13), (0.76, 0.66, 0.16), (0.5, 0.47, 0.27),
        ]
        for (index, spot) in spots.enumerated() {
            let shift = generator.float(in: -0.05...0.05)
            flowers.append(
                Flower(
                    center: SIMD2(aspect * (spot.0 + shift), spot.1 + shift),
                    radius: spot.2 * generator.float(in: 0.9...1.1),
                    petals: Float(8 + Int(generator.next() % 8)),
                    turn: generator.float(in: 0...6.28),
                    color: rgb(colors[(first + (index == 2 ? 0 : index + 1)) % 6]),
                    heart: rgb(index == 1 ? 0x6B3A1E : 0xE9B52C)
                )
            )
        }
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        let soft = blur.fractal(x * 2.2, y * 2.2, octaves: 2)
        var result = mix(
            SIMD3(0.10, 0.26, 0.12),
            SIMD3(0.56, 0.68, 0.30),
            soft * 0.8 + (1 - y) * 0.3
        )
        for light in lights {
            let dx = x - light.center.x
            let dy = y - light.center.y
            guard abs(dx) < light.radius * 1.2, abs(dy) < light.radius * 1.2 else { continue }
            let away = (dx * dx + dy * dy).squareRoot() / light.radius
            let disc = smoothstep(1.05, 0.9, away) * (0.22 + 0.2 * smoothstep(0.6, 0.98, away))
            result = mix(result, light.color, disc)
        }
        for flower in flowers { result = draw(flower, over: result, x: x, y: y, pixel: pixel) }
        return result
    }

    private func draw(
        _ flower: Flower,
        over background: SIMD3<Float>,
        x: Float,
        y: Float,
        pixel: Float
    ) -> SIMD3<Float> {
        var result = background
        let lean = sway * (1 - y)
        let dx = x - flower.center.x - lean
        let dy = y - flower.center.y
        // The flower in the middle is sharp; the others are a little out of focus.
        let edge = flower.radius > 0.2 ? pixel * 1.5 : 0.012
        if dy > 0 {
            let stem = abs(dx - dy * dy * 0.12) - 0.011 * (0.6 + flower.radius)
            let green = mix(SIMD3(0.16, 0.36, 0.12), SIMD3(0.38, 0.56, 0.20), dx * 40 + 0.5)
            result = mix(result, green, smoothstep(edge, -edge, stem))
        }
        let away = (dx * dx + dy * dy).squareRoot()
        guard away < flower.radius * 1.3 else { return result }
        let angle = atan2f(dy, dx) + flower.turn
        for layer in 0..<2 {
            let shifted = angle * flower.petals / 2 + Float(layer) * 1.57
            let petal = abs(cosf(shifted))
            let reach = flower.radius * (layer == 0 ? 1 : 0.82) * (0.5 + 0.5 * powf(petal, 0.42))
            let vein = 0.94 + 0.06 * sinf(angle * flower.petals * 9)
            let light = mix(0.55, 1.05, smoothstep(0.1, 1, away / flower.radius)) * vein
            let shade = mix(0.72, 1, smoothstep(0.15, 0.8, petal))
            let tone = flower.color * light * shade * (layer == 0 ? 0.86 : 1)
            result = mix(result, tone, smoothstep(edge, -edge, away - reach))
        }
        let heart = away - flower.radius * 0.24
        let dots = blur.value(dx * 130 + 50, dy * 130 + 50)
        let middle = flower.heart * mix(0.62, 1.12, dots) * mix(1.05, 0.7, away / flower.radius * 4)
        return mix(result, middle, smoothstep(edge, -edge, heart))
    }
}
