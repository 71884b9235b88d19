import Glibc
import PhotoModel
import TestSupport
import Testing

@testable import Imaging

/// Gain maps, compared with the formula of ISO 21496-1.
@Suite(.timeLimit(.minutes(1))) struct GainRowsTests {
    @Test func gainsFollowTheFormula() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<200 {
            var channels: [GainMap.Channel] = []
            for _ in 0..<3 {
                var channel = GainMap.Channel()
                channel.minimum = .random(in: -1...1, using: &generator)
                channel.maximum = channel.minimum + .random(in: 0...4, using: &generator)
                channel.gamma = .random(in: 0.3...3, using: &generator)
                channel.baseOffset = .random(in: 0...0.1, using: &generator)
                channel.alternateOffset = .random(in: 0...0.1, using: &generator)
                channels.append(channel)
            }
            let capacity =
                Double.random(in: 0...1, using: &generator)
                ... .random(in: 1.1...4, using: &generator)
            let headroom = Double.random(in: 1...20, using: &generator)
            let map = (0..<6).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let rows = GainRows(
                GainMap(.stops(channels), capacity: capacity),
                map: map,
                headroom: headroom
            )
            var light: (Float, Float, Float) = (0.2, 0.5, 0.9)
            rows.apply(to: &light, at: 1)
            let weight = min(
                1,
                max(
                    0,
                    (log2(headroom) - capacity.lowerBound)
                        / (capacity.upperBound - capacity.lowerBound)
                )
            )
            for (band, found) in [light.0, light.1, light.2].enumerated() {
                let channel = channels[band]
                let share = pow(Double(map[3 + band]) / 255, 1 / channel.gamma)
                let stops = (1 - share) * channel.minimum + share * channel.maximum
                let before = [0.2, 0.5, 0.9][band] + channel.baseOffset
                let exact = before * exp2(stops * weight) - channel.alternateOffset
                #expect(abs(Double(found) - exact) < 1e-3 * max(1, exact), seed.comment)
            }
        }
    }

    @Test func aSingleChannelIsForAll() {
        var channel = GainMap.Channel()
        channel.baseOffset = 0
        channel.alternateOffset = 0
        channel.maximum = 2
        let map = GainMap(.stops([channel]), capacity: 0...2)
        let rows = GainRows(map, map: [255, 255, 255], headroom: 0)
        var light: (Float, Float, Float) = (1, 0.5, 0)
        rows.apply(to: &light, at: 0)
        #expect(light == (4, 2, 0))
        // Beyond the map, light stays.
        rows.apply(to: &light, at: 1)
        #expect(light == (4, 2, 0))
        // On a display without headroom, nothing is brighter.
        var plain: (Float, Float, Float) = (1, 0.5, 0)
        GainRows(map, map: [255, 255, 255], headroom: 1).apply(to: &plain, at: 0)
        #expect(plain == (1, 0.5, 0))
    }
}
