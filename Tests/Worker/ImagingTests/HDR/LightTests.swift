import PhotoModel
import TestSupport
import Testing

@testable import Imaging

/// Linear light, compared with the values that the standards publish.
@Suite(.timeLimit(.minutes(1))) struct LightTests {
    @Test(arguments: [
        // BT.2408 and BT.2390: light in cd/m² by signal in percent.
        (0.0, 0.0, 0.000_1), (0.381, 26, 0.5), (0.581, 203, 1), (0.7518, 1000, 3),
        (0.9026, 4000, 12), (1, 10_000, 0.01),
    ])
    func perceptualQuantizerIsThatOfTheStandard(_ row: (Double, Double, Double)) {
        #expect(abs(LightCurve.perceptualQuantizer(row.0) - row.1) <= row.2)
    }

    @Test(
        arguments: [(0, 0), (0.5, 1.0 / 12), (0.25, 1.0 / 48), (0.75, 0.265), (1, 1)]
            as [(Double, Double)]
    )
    func hybridLogGammaIsThatOfTheStandard(_ row: (Double, Double)) {
        #expect(abs(LightCurve.hybridLogGammaScene(row.0) - row.1) < 0.000_5)
    }

    @Test func curvesRise() {
        #expect(LightCurve.plain[0] == 0 && LightCurve.plain[255] == 1)
        for curve in [LightCurve.plain, LightCurve.perceptualQuantizer, LightCurve.hybridLogGamma] {
            #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    /// Returns the light of one 16-bit pixel.
    private func light(
        _ pixel: [UInt16],
        _ signal: PictureSignal,
        headroom: Double = 0
    ) -> [Float16] {
        let rows = CollectedRows()
        let light = LightRows(.signal(signal), headroom: headroom, into: rows)
        let isTaken = pixel.withUnsafeBytes { light.take($0) }
        return isTaken ? rows.halves : []
    }

    @Test func referenceWhiteIsOne() {
        // 203 cd/m² is a signal of 58.06 %.
        let gray = UInt16((0.5806 * 65535).rounded())
        for primaries in [1, 9, 12] {
            let signal = PictureSignal(primaries: primaries, transfer: 16)
            let pixel = light([gray, gray, gray, 65535], signal)
            #expect(pixel.dropLast().allSatisfy { abs($0 - 1) < 0.01 }, "\(primaries) \(pixel)")
            #expect(pixel.last == 1)
        }
        #expect(PictureSignal(primaries: 9, transfer: 18).isHDR)
        #expect(!PictureSignal(primaries: 9, transfer: 13).isHDR)
    }

    @Test("Light above the headroom is compressed, and hues stay")
    func headroomLimitsLight() {
        let seed = TestSeed()
        var generator = seed.generator
        let signal = PictureSignal(primaries: 12, transfer: 16)
        for _ in 0..<300 {
            let pixel = (0..<3).map { _ in UInt16.random(in: 0...65535, using: &generator) }
            let free = light(pixel + [65535], signal).map(Float.init)
            let headroom = Double.random(in: 1...20, using: &generator)
            let limited = light(pixel + [65535], signal, headroom: headroom).map(Float.init)
            let (most, least) = (Float(headroom) * 1.001, Float(headroom) * 0.8)
            #expect(limited.dropLast().allSatisfy { $0 <= most }, seed.comment)
            let brightest = free.dropLast().max() ?? 0
            if brightest <= least {
                #expect(limited == free, seed.comment)
            } else {
                for band in 0..<3 where free[band] > 0.01 {
                    let factor = limited[band] / free[band]
                    let other = (limited.dropLast().max() ?? 0) / brightest
                    #expect(abs(factor - other) < 0.02 * other, seed.comment)
                }
            }
        }
    }

    @Test func rowsContinueAfterARestart() {
        let rows = CollectedRows()
        let map = GainMap(.share(ofHeadroom: 4), capacity: 0...2)
        // Of two pixels, the second has the whole gain.
        let gain = GainRows(map, map: [0, 0, 0, 255, 255, 255], headroom: 0)
        let light = LightRows(.plain(gain), headroom: 0, into: rows)
        func take(_ pixel: [UInt8]) -> Bool { pixel.withUnsafeBytes { light.take($0) } }
        #expect(take([255, 255, 255, 255]) && take([255, 0, 255, 128]))
        let expected: [Float16] = [1, 1, 1, 1, 4, 0, 4, Float16(Float(128) / 255)]
        #expect(zip(rows.halves, expected).allSatisfy { abs($0 - $1) < 0.01 }, "\(rows.halves)")
        light.restart()
        #expect(rows.bytes.isEmpty && take([255, 255, 255, 255]))
        #expect(rows.halves == [1, 1, 1, 1])
    }

    @Test func aSinkThatIsFullEndsTheRows() {
        let light = LightRows(.plain(nil), headroom: 0, into: CollectedRows(limit: 7))
        let isTaken = [UInt8](repeating: 9, count: 4).withUnsafeBytes { light.take($0) }
        #expect(!isTaken)
        let memory = RowMemory(limit: 4) { false }
        #expect(
            [1, 2, 3, 4].withUnsafeBytes { memory.take(UnsafeRawBufferPointer(rebasing: $0[..<4])) }
        )
        #expect([5].withUnsafeBytes { !memory.take(UnsafeRawBufferPointer(rebasing: $0[..<1])) })
    }
}
