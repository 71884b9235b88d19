internal import CLcms
internal import CVipsShim
internal import PhotoModel

/// The conversion of an image's stored values to linear light with sRGB's primaries.
struct InputColors {
    /// The linear light of each sample value, by color component.
    var tables: [[Double]]
    /// The matrix that converts the linear light to sRGB's primaries; nil if none is necessary.
    var matrix: [Double]?
    var isHalf = false
    var isBlueFirst = false
    var isPremultiplied = false

    /// Returns the conversion of sRGB-encoded samples of 1 or 2 bytes.
    static func sRGB(sampleSize: Int) -> InputColors {
        let count = sampleSize == 1 ? 256 : 65536
        let table = (0..<count).map { SignalCurve.decoded(Double($0) / Double(count - 1)) }
        return InputColors(tables: [table, table, table])
    }

    /// Returns the conversion of pixels that the host supplied in memory.
    static func pixels(_ description: PixelBufferDescription) -> InputColors {
        var colors: InputColors
        if description.layout == .rgbaHalf {
            let table = (0..<65536).map { bits -> Double in
                let value = Double(Float16(bitPattern: UInt16(bits)))
                return value.isFinite ? value : 0
            }
            colors = InputColors(tables: [table, table, table], isHalf: true)
        } else {
            colors = .sRGB(sampleSize: 1)
        }
        if description.colors != .sRGB { colors.matrix = Primaries.displayP3ToSRGB }
        return colors
    }

    /// Returns the conversion for an ICC profile; nil if the profile is not made of curves and a
    /// matrix.
    ///
    /// The caller then converts with libvips. A damaged profile, or one for another color space, is
    /// treated as sRGB.
    static func profile(_ bytes: [UInt8], sampleSize: Int, isGrey: Bool) -> InputColors? {
        guard (128...(4 << 20)).contains(bytes.count),
            let profile = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count))
        else { return .sRGB(sampleSize: sampleSize) }
        defer { cmsCloseProfile(profile) }
        let space = cmsGetColorSpace(profile)
        // A profile for another color space is unusable.
        guard space == (isGrey ? cmsSigGrayData : cmsSigRgbData) else {
            return .sRGB(sampleSize: sampleSize)
        }
        let count = sampleSize == 1 ? 256 : 65536
        if isGrey {
            guard let table = table(profile, cmsSigGrayTRCTag, count) else { return nil }
            return InputColors(tables: [table, table, table])
        }
        // Lookup tables take precedence over curves and a matrix.
        guard cmsIsMatrixShaper(profile) != 0,
            cmsIsTag(profile, cmsSigAToB0Tag) == 0, cmsIsTag(profile, cmsSigDToB0Tag) == 0,
            let red = table(profile, cmsSigRedTRCTag, count),
            let green = table(profile, cmsSigGreenTRCTag, count),
            let blue = table(profile, cmsSigBlueTRCTag, count),
            let matrix = matrix(profile)
        else { return nil }
        var colors = InputColors(tables: [red, green, blue], matrix: matrix)
        if zip(matrix, Primaries.identity).allSatisfy({ abs($0 - $1) < 0.002 }) {
            colors.matrix = nil
        }
        // Profiles store sRGB's curve with varying rounding.
        let plain = InputColors.sRGB(sampleSize: sampleSize).tables[0]
        colors.tables = colors.tables.map { table in
            zip(table, plain).allSatisfy { abs($0 - $1) < 0.001 } ? plain : table
        }
        return colors
    }

    private static func table(
        _ profile: cmsHPROFILE,
        _ tag: cmsTagSignature,
        _ count: Int
    ) -> [Double]? {
        guard let pointer = cmsReadTag(profile, tag) else { return nil }
        let curve = OpaquePointer(pointer)
        return (0..<count).map { index in
            let value = cmsEvalToneCurveFloat(curve, Float(index) / Float(count - 1))
            return value.isFinite ? Double(value) : 0
        }
    }

    /// Returns the matrix that converts a profile's primaries to the primaries of sRGB, through XYZ
    /// with white point D50.
    private static func matrix(_ profile: cmsHPROFILE) -> [Double]? {
        var columns: [[Double]] = []
        for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
            guard let pointer = cmsReadTag(profile, tag) else { return nil }
            let color = pointer.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
            columns.append([color.X, color.Y, color.Z])
        }
        var toXYZ: [Double] = []
        for row in 0..<3 { for column in 0..<3 { toXYZ.append(columns[column][row]) } }
        let product = Primaries.product(Primaries.xyzD50ToSRGB, toXYZ)
        return product.allSatisfy(\.isFinite) ? product : nil
    }
}

/// sRGB's transfer function.
enum SignalCurve {
    static func decoded(_ signal: Double) -> Double { Double(cphotos_decoded(Float(signal))) }

    static func encoded(_ light: Double) -> Double { Double(cphotos_encoded(Float(light))) }
}

/// The conversion matrices between primaries, as three rows of three.
enum Primaries {
    static let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]

    static let displayP3ToSRGB: [Double] = [
        1.2249401, -0.2249404, 0, -0.0420569, 1.0420571, 0, -0.0196376, -0.0786361, 1.0982735,
    ]
    static let sRGBToDisplayP3: [Double] = [
        0.8224621, 0.1775380, 0, 0.0331941, 0.9668058, 0, 0.0170827, 0.0723974, 0.9105199,
    ]
    static let xyzD50ToSRGB: [Double] = [
        3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914,
        1.4052427,
    ]

    static func product(_ second: [Double], _ first: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            for column in 0..<3 {
                var sum: Double = 0
                for index in 0..<3 { sum += second[row * 3 + index] * first[index * 3 + column] }
                result.append(sum)
            }
        }
        return result
    }
}
