internal import CLcms
internal import Glibc

/// The creation of color profiles for files that have H.273 color codes but no profile.
package enum ColorProfile {
    /// Creates a profile for the H.273 codes of primaries and a transfer function.
    ///
    /// Returns nil if neither code requires more than sRGB: the primaries are not wider than
    /// sRGB's, and the transfer function is neither PQ nor HLG.
    ///
    /// PQ and HLG are tone-mapped to SDR: their reference white (203 cd/m²) is mapped near the
    /// display's white, and brighter values are compressed above it.
    static func make(primaries: Int, transfer: Int) -> [UInt8]? {
        let isWide = primaries == 9 || primaries == 11 || primaries == 12
        let isHDR = transfer == 16 || transfer == 18
        guard isWide || isHDR else { return nil }
        guard let curve = curve(for: transfer) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        guard let profile = profile(chromaticities(of: primaries), curve) else { return nil }
        defer { cmsCloseProfile(profile) }
        return bytes(of: profile)
    }

    /// The bytes of a Display P3 profile.
    package static let displayP3Bytes: [UInt8]? = {
        guard let profile = displayP3() else { return nil }
        defer { cmsCloseProfile(profile) }
        return bytes(of: profile)
    }()

    /// Creates a Display P3 profile: P3's primaries with sRGB's curve.
    static func displayP3() -> cmsHPROFILE? {
        guard let curve = curve(for: 13) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        return profile(chromaticities(of: 12), curve)
    }

    // MARK: - Parts

    private typealias Chromaticity = (x: Double, y: Double)

    private static func chromaticities(of primaries: Int) -> [Chromaticity] {
        switch primaries {
        case 9: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
        case 11, 12: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
        default: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
        }
    }

    private static func profile(
        _ primaries: [Chromaticity],
        _ curve: OpaquePointer
    ) -> cmsHPROFILE? {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var triple = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: primaries[0].x, y: primaries[0].y, Y: 1),
            Green: cmsCIExyY(x: primaries[1].x, y: primaries[1].y, Y: 1),
            Blue: cmsCIExyY(x: primaries[2].x, y: primaries[2].y, Y: 1)
        )
        let curves: [OpaquePointer?] = [curve, curve, curve]
        return cmsCreateRGBProfile(&white, &triple, curves)
    }

    private static func curve(for transfer: Int) -> OpaquePointer? {
        switch transfer {
        case 16: tabulated { compressed(LightCurve.perceptualQuantizer($0) / LightCurve.white) }
        case 18: tabulated { compressed(hybridLogGamma($0) / LightCurve.white) }
        case 8: cmsBuildGamma(nil, 1)
        default:
            // sRGB's curve, which displays also use for BT.709 and BT.2020.
            cmsBuildParametricToneCurve(
                nil,
                4,
                [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            )
        }
    }

    private static func tabulated(
        _ function: (Double) -> Double
    ) -> OpaquePointer? {
        let count = 4096
        let table = (0..<count).map { index in
            UInt16(max(0, min(1, function(Double(index) / Double(count - 1)))) * 65535)
        }
        return cmsBuildTabulatedToneCurve16(nil, cmsUInt32Number(count), table)
    }

    /// Returns the luminance in cd/m² of an HLG value on a display with a peak of 1000 cd/m².
    private static func hybridLogGamma(_ signal: Double) -> Double {
        1000 * pow(LightCurve.hybridLogGammaScene(signal), 1.2)
    }

    /// Compresses linear light above 0.8 to values below 1; light up to 0.8 is unchanged.
    ///
    /// In the input, 1 is SDR white (203 cd/m²). The maximum of PQ, 10,000 cd/m², becomes almost 1.
    private static func compressed(_ light: Double) -> Double {
        let knee = 0.8
        guard light > knee else { return light }
        let excess = (light - knee) / (1 - knee)
        return knee + (1 - knee) * excess / (1 + excess)
    }

    private static func bytes(of profile: cmsHPROFILE) -> [UInt8]? {
        var length: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &length) != 0, length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        return cmsSaveProfileToMem(profile, &bytes, &length) != 0 ? bytes : nil
    }
}

extension PictureSignal {
    /// The bytes of the profile that represents the codes; nil if neither code requires more than
    /// sRGB.
    var profile: [UInt8]? { ColorProfile.make(primaries: primaries, transfer: transfer) }
}
