internal import CVipsShim
internal import PhotoModel

/// A program for libvips' pixels: from stored numbers, or from floats, to floats, bytes or halves.
struct PointProgram {
    /// What it reads.
    struct Input {
        /// Nil for floats, which are multiplied with alpha.
        var colors: InputColors?
        var bands: Int
        var sampleSize: Int
        var colorBands: Int
        var hasAlpha: Bool
    }

    /// What it writes; bytes and floats of 3 bands lie on black.
    struct Output {
        var samples = PH_FLOATS
        var bands = 3
        var isBlueFirst = false
        var isPremultiplied = true
    }

    var input: Input
    var chain: PointChain
    var output: Output
    /// Whether operations need colours that are multiplied with alpha.
    var worksPremultiplied = false
    /// For bytes: whether the chain ends with light; otherwise with the signal.
    var endsWithLight = true

    init(_ input: Input, _ chain: PointChain, _ output: Output) {
        self.input = input
        self.chain = chain
        self.output = output
    }

    /// What it makes of a picture that has the input's bands.
    func run(_ image: LazyImage) throws(DecodeFailure) -> LazyImage {
        let memory = ProgramMemory()
        var rest = chain
        let decoding = input.colors.map { Self.decoding($0, &rest) } ?? []
        let encoding = output.samples == PH_BYTES ? encoding(&rest) : []
        let points = rest.links.map { memory.point($0) }
        var program = ph_program()
        program.bands = Int32(input.bands)
        program.sampleSize = Int32(input.sampleSize)
        program.colorBands = Int32(input.colorBands)
        program.hasAlpha = input.hasAlpha ? 1 : 0
        program.isBlueFirst = input.colors?.isBlueFirst ?? false ? 1 : 0
        program.isPremultiplied = input.colors?.isPremultiplied ?? true ? 1 : 0
        program.isHalf = input.colors?.isHalf ?? false ? 1 : 0
        program.count = Int32(points.count)
        program.points = UnsafePointer(memory.copy(points))
        program.decoding = decoding.isEmpty ? nil : UnsafePointer(memory.copy(decoding))
        program.encoding = encoding.isEmpty ? nil : UnsafePointer(memory.copy(encoding))
        program.worksPremultiplied = worksPremultiplied ? 1 : 0
        program.output = output.samples
        program.outputBands = Int32(output.bands)
        program.isOutputBlueFirst = output.isBlueFirst ? 1 : 0
        program.isOutputPremultiplied = output.isPremultiplied ? 1 : 0
        defer { withExtendedLifetime(memory) {} }
        return try image.run(&program, decodingLength: decoding.count)
    }

    /// Four tables one after another, with all that comes first and changes each component by itself.
    private static func decoding(_ colors: InputColors, _ chain: inout PointChain) -> [Float] {
        var tables = colors.tables
        while let first = chain.takeFirstSeparate() {
            for band in tables.indices {
                tables[band] = tables[band].map { first.value($0, band: band) }
            }
        }
        let count = tables[0].count
        let alpha =
            colors.isHalf
            ? colors.tables[0] : (0..<count).map { Double($0) / Double(count - 1) }
        return (tables + [alpha]).flatMap { $0.map { Float($0) } }
    }

    /// Three tables one after another, from the chain's last number to a byte, with what comes last before
    /// it; none where the number is the byte / 255.
    private func encoding(_ chain: inout PointChain) -> [UInt8] {
        var lookups: [PointChain.Separate] = endsWithLight ? [.encode] : []
        while let last = chain.takeLastLookup() {
            if case .decode = last, case .encode = lookups.first {
                lookups.removeFirst()
            } else {
                lookups.insert(last, at: 0)
            }
        }
        guard !lookups.isEmpty else { return [] }
        let count = Int(PH_ENCODING_LENGTH)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * count)
        for band in 0..<3 {
            for index in 0..<count {
                var value = Double(index) / Double(count - 1)
                for lookup in lookups { value = lookup.value(value, band: band) }
                bytes.append(UInt8(min(max(value, 0), 1) * 255 + 0.5))
            }
        }
        return bytes
    }
}

/// Memory that a program refers to while it is handed over.
private final class ProgramMemory {
    private var owned: [UnsafeMutableRawPointer] = []

    deinit { for memory in owned { memory.deallocate() } }

    /// A copy of an array; also an empty one has an address.
    func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
        copy.initialize(from: array, count: array.count)
        owned.append(UnsafeMutableRawPointer(copy))
        return copy
    }

    func point(_ link: PointChain.Link) -> ph_point {
        switch link {
        case .matrix(let numbers): return PointChain.point(PH_MATRIX, numbers)
        case .other(let point): return point
        case .separate(.encode): return PointChain.point(PH_ENCODE, [])
        case .separate(.decode): return PointChain.point(PH_DECODE, [])
        case .separate(.power(let power)): return PointChain.point(PH_POWER, [power])
        case .separate(.curves(let curves)):
            var point = PointChain.point(PH_CURVES, [])
            point.curves = UnsafePointer(copy(curves.flatMap { $0.map { Float($0) } }))
            point.curveLength = Int32(curves[0].count)
            return point
        }
    }
}
