import Foundation

/// A person in front of blurred lights: round shapes with soft light from one side.
struct PortraitScene: Scene {
    private let skin: SIMD3<Float>
    private let hair: SIMD3<Float>
    private let shirt: SIMD3<Float>
    private let eyes: SIMD3<Float>
    private let backdrop: (SIMD3<Float>, SIMD3<Float>)
    private var lights: [(center: SIMD2<Float>, radius: Float, color: SIMD3<Float>)] = []
    private let center: SIMD2<Float>
    private let turn: Float
    private let smile: Float
    private let isLong: Bool
    private let strands: Noise

    init(seed: UInt64, phase: Float, aspect: Float) {
        var generator = SeededGenerator(seed: seed)
        func pick(_ colors: [UInt32]) -> SIMD3<Float> {
            rgb(colors[Int(generator.next() % UInt64(colors.count))])
        }
        skin = pick([0xF1C9A5, 0xD9A066, 0xA86B3C, 0x6E4326, 0xE8B68E])
        hair = pick([0x2B1B12, 0x5A3419, 0x9B6A2F, 0x1A1A1E, 0x7A2F1C])
        shirt = pick([0x2F6F73, 0xB8433F, 0x34497A, 0xD9A441, 0xE9E4DA])
        eyes = pick([0x4A2E1A, 0x3C6A4E, 0x3D6C99])
        let tones: [(UInt32, UInt32)] = [
            (0x1F3B4D, 0xB5795A), (0x233B2A, 0x9DB37A), (0x2A2140, 0xC5718B),
        ]
        let tone = tones[Int(generator.next() % 3)]
        backdrop = (rgb(tone.0), rgb(tone.1))
        isLong = generator.next() % 2 == 0
        strands = Noise(seed: generator.next())
        center = SIMD2(aspect * generator.float(in: 0.44...0.56), 0.45)
        turn = generator.float(in: -0.02...0.02) + sinf(phase * 0.9) * 0.012
        smile = generator.float(in: 0.5...1)
        for _ in 0..<26 {
            lights.append(
                (
                    SIMD2(generator.float(in: 0...aspect), generator.float(in: 0...0.8)),
                    generator.float(in: 0.025...0.085), mix(backdrop.1, SIMD3(1, 0.93, 0.8), 0.5)
                )
            )
        }
    }

    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        var result = mix(
            backdrop.1 * 0.8,
            backdrop.0,
            smoothstep(0, 1, y * 0.8 + abs(x - 0.6) * 0.3)
        )
        for light in lights {
            let dx = x - light.center.x
            let dy = y - light.center.y
            guard abs(dx) < light.radius * 1.1, abs(dy) < light.radius * 1.1 else { continue }
            let away = (dx * dx + dy * dy).squareRoot() / light.radius
            result = mix(result, light.color, smoothstep(1.04, 0.92, away) * 0.26)
        }
        let p = SIMD2(x - center.x, y - center.y)
        let fine = strands.fractal(p.x * 60, p.y * 9, octaves: 3)
        let sheen = hair * (0.7 + 0.7 * fine) + SIMD3(repeating: 0.06 * fine)
        if isLong {
            let back = ellipse(p, at: SIMD2(0, 0.10), radii: SIMD2(0.25, 0.37))
            result = mix(result, sheen * 0.72, smoothstep(pixel, -pixel, back))
        }
        result = drawBody(over: result, p, pixel)
        return drawHead(over: result, p, pixel, sheen: sheen)
    }

    private func drawBody(
        over background: SIMD3<Float>,
        _ p: SIMD2<Float>,
        _ pixel: Float
    ) -> SIMD3<Float> {
        var result = background
        let neck = max(abs(p.x) - 0.078 - max(0, p.y - 0.27) * 0.35, 0.05 - p.y)
        let neckShade = mix(0.62, 0.92, smoothstep(-0.08, 0.1, p.x + p.y * 0.15 - 0.03))
        result = mix(result, skin * neckShade, smoothstep(pixel, -pixel, neck))
        let shoulders = ellipse(p, at: SIMD2(0, 0.66), radii: SIMD2(0.43, 0.34))
        let collar = ellipse(p, at: SIMD2(0, 0.28), radii: SIMD2(0.10, 0.085))
        let fold = strands.fractal(p.x * 8 + 9, p.y * 5, octaves: 3) - 0.5
        let cloth = shirt * (0.86 + fold * 0.3 + min(max(p.x, -0.3), 0.3) * 0.5)
        let inside = smoothstep(pixel, -pixel, max(shoulders, -collar))
        return mix(result, cloth, inside)
    }

    private func drawHead(
        over background: SIMD3<Float>,
        _ point: SIMD2<Float>,
        _ pixel: Float,
        sheen: SIMD3<Float>
    ) -> SIMD3<Float> {
        var result = background
        let p = point
        for side: Float in [-1, 1] {
            let ear = ellipse(p, at: SIMD2(side * 0.187, 0.02), radii: SIMD2(0.028, 0.05))
            result = mix(result, skin * 0.82, smoothstep(pixel, -pixel, ear))
        }
        // A face is egg-shaped: narrower toward the chin.
        let chin = 1 + max(0, p.y) * 0.75
        let face = ellipse(SIMD2(p.x * chin, p.y), at: SIMD2(0, 0), radii: SIMD2(0.19, 0.26))
        let f = SIMD2(p.x - turn * 2, p.y)
        var tone = skin * mix(0.70, 1.06, smoothstep(-0.17, 0.13, f.x - f.y * 0.1))
        for side: Float in [-1, 1] {
            let cheek = SIMD2(f.x - side * 0.095, f.y - 0.09)
            let blush = expf(-(cheek.x * cheek.x + cheek.y * cheek.y) * 420)
            tone = mix(tone, tone * SIMD3(1.06, 0.80, 0.78), blush * 0.55)
        }
        // The nose: light on its bridge, a shadow beside and below it.
        let bridge = expf(-(f.x - 0.006) * (f.x - 0.006) * 5_200) * smoothstep(-0.06, 0, f.y)
        tone += skin * bridge * smoothstep(0.085, 0.05, f.y) * 0.13
        let below = SIMD2(f.x + 0.006, (f.y - 0.092) * 1.9)
        tone *= 1 - 0.34 * expf(-(below.x * below.x + below.y * below.y) * 1_700)
        for side: Float in [-1, 1] {
            let nostril = ellipse(f, at: SIMD2(side * 0.017, 0.088), radii: SIMD2(0.0085, 0.0045))
            tone = mix(tone, skin * 0.4, smoothstep(0.003, -0.003, nostril) * 0.75)
        }
        tone = drawEyes(over: tone, f, pixel)
        tone = drawMouth(over: tone, f, pixel)
        result = mix(result, tone, smoothstep(pixel, -pixel, face))
        // Hair: a cap over the head minus the face's own outline.
        let cap = ellipse(p, at: SIMD2(0, -0.045), radii: SIMD2(0.212, 0.252))
        let parting = f.x * 0.5 + (isLong ? 0.02 : 0.05)
        let hairline = ellipse(f, at: SIMD2(parting * 0.4, 0.075), radii: SIMD2(0.172, 0.232))
        let front = max(cap, max(-hairline, p.y - (isLong ? 0.2 : 0.0)))
        return mix(result, sheen, smoothstep(pixel * 2, -pixel * 2, front))
    }

    private func drawEyes(
        over background: SIMD3<Float>,
        _ f: SIMD2<Float>,
        _ pixel: Float
    ) -> SIMD3<Float> {
        var result = background
        for side: Float in [-1, 1] {
            let eye = SIMD2(f.x - side * 0.074, f.y + 0.012)
            let hollow = expf(-(eye.x * eye.x * 420 + eye.y * eye.y * 900))
            result *= 1 - 0.16 * hollow
            let lid = max(
                ellipse(eye, at: SIMD2(0, 0.016), radii: SIMD2(0.039, 0.034)),
                ellipse(eye, at: SIMD2(0, -0.018), radii: SIMD2(0.041, 0.034))
            )
            let white = SIMD3<Float>(0.95, 0.94, 0.92) * (1 - smoothstep(0, -0.03, eye.y) * 0.3)
            var ball = white
            let look = SIMD2(eye.x - turn, eye.y + 0.001)
            let iris = (look.x * look.x + look.y * look.y).squareRoot()
            let ring = eyes * mix(1.25, 0.55, smoothstep(0.004, 0.0145, iris))
            ball = mix(ball, ring, smoothstep(0.0155, 0.0145, iris))
            ball = mix(ball, SIMD3(repeating: 0.03), smoothstep(0.0072, 0.0062, iris))
            let glint = SIMD2(look.x - 0.005, look.y + 0.005)
            let spark = (glint.x * glint.x + glint.y * glint.y).squareRoot()
            ball = mix(ball, SIMD3(1, 1, 1), smoothstep(0.0036, 0.0026, spark))
            result = mix(result, ball, smoothstep(pixel, -pixel, lid))
            let lash = abs(lid) * (eye.y < 0 ? 1 : 3.2)
            result = mix(result, hair * 0.4, smoothstep(0.0042, 0.001, lash) * 0.9)
            let arch = eye.y + 0.047 - eye.x * eye.x * 7 + side * eye.x * 0.12
            let brow = max(abs(arch) - 0.0075 * (1 - abs(eye.x) * 12), abs(eye.x) - 0.047)
            result = mix(result, hair * 0.8, smoothstep(0.004, -0.002, brow) * 0.9)
        }
        return result
    }

    private func drawMouth(
        over background: SIMD3<Float>,
        _ f: SIMD2<Float>,
        _ pixel: Float
    ) -> SIMD3<Float> {
        // The line of the mouth bends up at its ends; the lips are above and below it.
        let m = SIMD2(f.x, f.y - 0.142 + f.x * f.x * 5 * smile)
        let half: Float = 0.062
        let taper = max(0, 1 - (m.x / half) * (m.x / half))
        let upper = 0.0125 * taper * (1 - 0.35 * expf(-m.x * m.x * 9_000))
        let lower = 0.019 * taper
        let lip = skin * SIMD3(0.84, 0.50, 0.48)
        var result = background
        if abs(m.x) < half {
            let above = smoothstep(pixel, -pixel, max(-m.y - upper, m.y))
            result = mix(result, lip * 0.86, above)
            let under = smoothstep(pixel, -pixel, max(m.y - lower, -m.y))
            let shine = expf(-(m.x * m.x * 900 + (m.y - 0.009) * (m.y - 0.009) * 30_000))
            result = mix(result, lip * (1 + shine * 0.3), under)
            let line = smoothstep(0.0026, 0.0008, abs(m.y)) * smoothstep(0, 0.2, taper)
            result = mix(result, skin * SIMD3(0.36, 0.2, 0.2), line * 0.85)
        }
        let shadow = SIMD2(f.x, (f.y - 0.176) * 2.4)
        return result * (1 - 0.14 * expf(-(shadow.x * shadow.x + shadow.y * shadow.y) * 900))
    }

    /// Returns the approximate distance to an ellipse's edge; negative inside.
    private func ellipse(_ p: SIMD2<Float>, at: SIMD2<Float>, radii: SIMD2<Float>) -> Float {
        let q = (p - at) / radii
        let length = (q * q).sum().squareRoot()
        return (length - 1) * min(radii.x, radii.y)
    }
}
