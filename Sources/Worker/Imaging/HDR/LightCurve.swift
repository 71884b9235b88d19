internal import Glibc

/// The transfer functions of sRGB, PQ and HLG, which convert stored values to linear light.
enum LightCurve {
    /// The luminance of HDR reference white in cd/m² (BT.2408).
    static let white = 203.0

    /// The linear light of each 8-bit value of sRGB and Display P3; 1 is SDR white.
    static let plain: [Float] = (0...255).map { signal in
        let value = Double(signal) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }

    /// The linear light of each 16-bit PQ value (SMPTE ST 2084); 1 is SDR white.
    static let perceptualQuantizer: [Float] = (0...65535).map { signal in
        Float(perceptualQuantizer(Double(signal) / 65535) / white)
    }

    /// The scene light, from 0 to 1, of each 16-bit HLG value (ARIB STD-B67).
    static let hybridLogGamma: [Float] = (0...65535).map { signal in
        Float(hybridLogGammaScene(Double(signal) / 65535))
    }

    /// Returns the luminance in cd/m² of a PQ value, which is in 0...1.
    static func perceptualQuantizer(_ signal: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let power = pow(signal, 1 / m2)
        return 10000 * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the scene light of an HLG value; both are in 0...1.
    static func hybridLogGammaScene(_ signal: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }
}
