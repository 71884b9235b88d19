import Foundation

/// A sky at an hour of the day, with a sun and drifting clouds; part of many scenes.
struct Sky: Sendable {
    /// The hours at which the sky looks different.
    enum Hour: CaseIterable, Sendable {
        case morning, noon, evening, dusk
    }

    let hour: Hour
    let sun: SIMD2<Float>
    /// The horizon's distance from the top.
    let horizon: Float
    private let zenith: SIMD3<Float>
    private let middle: SIMD3<Float>
    let low: SIMD3<Float>
    let glow: SIMD3<Float>
    private let cloudColor: SIMD3<Float>
    private let cloudShade: SIMD3<Float>
    private let cover: Float
    private let drift: Float
    private let noise: Noise

    init(
        hour: Hour,
        horizon: Float,
        aspect: Float,
        phase: Float,
        generator: inout SeededGenerator
    ) {
        self.hour = hour
        self.horizon = horizon
        noise = Noise(seed: generator.next())
        drift = phase * 0.03
        cover = generator.float(in: 0.46...0.62)
        let height: Float
        switch hour {
        case .morning:
            zenith = rgb(0x4F86C6)
            middle = rgb(0xA9CBE8)
            low = rgb(0xFCE3C5)
            glow = rgb(0xFFF1D6)
            cloudColor = rgb(0xFFF3E6)
            cloudShade = rgb(0xC9C3D2)
            height = 0.72
        case .noon:
            zenith = rgb(0x1E5FA8)
            middle = rgb(0x5B9BD8)
            low = rgb(0xC7E2F3)
            glow = rgb(0xFFFFFF)
            cloudColor = rgb(0xFFFFFF)
            cloudShade = rgb(0xB5C2D1)
            height = 0.22
        case .evening:
            zenith = rgb(0x2C3E70)
            middle = rgb(0xC4708A)
            low = rgb(0xFFB55E)
            glow = rgb(0xFFE9A8)
            cloudColor = rgb(0xFF9E7A)
            cloudShade = rgb(0x6B4A77)
            height = 0.86
        case .dusk:
            zenith = rgb(0x10183A)
            middle = rgb(0x3B3F78)
            low = rgb(0xE08A6B)
            glow = rgb(0xFFB98A)
            cloudColor = rgb(0x8C5C86)
            cloudShade = rgb(0x252A52)
            height = 1.04
        }
        sun = SIMD2(aspect * generator.float(in: 0.22...0.78), horizon * height)
    }

    @inline(__always)
    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float> {
        let down = min(max(y / horizon, 0), 1)
        var result =
            down < 0.55
            ? mix(zenith, middle, down / 0.55)
            : mix(middle, low, smoothstep(0.55, 1, down))

        // Clouds are in a plane overhead, so they appear flatter toward the horizon.
        let distance = 1 / (horizon * 1.12 - min(y, horizon) + 0.04)
        let density = noise.fractal(
            (x - 0.9) * distance * 1.1 + drift,
            distance * 2.4,
            octaves: 5
        )
        let cloud = smoothstep(cover, cover + 0.24, density) * smoothstep(1, 0.75, down) * 0.9
        let thickness = smoothstep(cover + 0.08, cover + 0.32, density)
        result = mix(result, mix(cloudColor, cloudShade, thickness * 0.7), cloud)

        let dx = x - sun.x
        let dy = y - sun.y
        let away = (dx * dx + dy * dy).squareRoot()
        result += glow * (0.42 * expf(-away * 5) + 0.25 * expf(-away * 16)) * (1 - cloud * 0.4)
        let disc = smoothstep(0.036 + pixel, 0.033 - pixel, away)
        return mix(result, pointwiseMax(result, glow * 1.08), disc * (1 - thickness * cloud * 0.8))
    }
}
