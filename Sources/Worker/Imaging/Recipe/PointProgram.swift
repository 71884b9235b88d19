internal import CVipsShim
internal import PhotoModel

/// A program of color operations that runs on each pixel of a libvips image.
///
/// The input is stored values or floats; the output is floats, bytes or half-precision floats.
struct PointProgram {
    /// The format of the input.
    struct Input {
        /// The conversion of stored values to linear light; nil for floats with premultiplied
        /// alpha.
        var colors: InputColors?
        var bands: Int
        var sampleSize: Int
        var colorBands: Int
        var hasAlpha: Bool
    }

    /// The format of the output; output with 3 bands is composited over black.
    struct Output {
        var samples = CPHOTOS_FLOATS
        var bands = 3
        var isBlueFirst = false
        var isPremultiplied = true
    }

    var input: Input
    var chain: PointChain
    var output: Output
    /// Indicates whether the operations require colors that are premultiplied with alpha.
    var worksPremultiplied = false
    /// Indicates whether the chain's results are linear light, which must be encoded with sRGB's
    /// curve for output in bytes.
    ///
    /// false if the results are encoded already.
    var endsWithLight = true

    init(_ input: Input, _ chain: PointChain, _ output: Output) {
        self.input = input
        self.chain = chain
        self.output = output
    }

    /// Applies the program to an image whose bands match the input format.
    func run(_ image: LazyImage) throws(DecodeFailure) -> LazyImage {
        let memory = ProgramMemory()
        var rest = chain
        let decoding = input.colors.map { Self.decoding($0, &rest) } ?? []
        let encoding = output.samples == CPHOTOS_BYTES ? encoding(&rest) : []
        let points = rest.links.map { memory.point($0) }
        var program = cphotos_program()
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

    /// Builds the decoding tables of red, green, blue and alpha.
    ///
    /// Per-component operations at the start of the chain are moved into the tables.
    private static func decoding(_ colors: InputColors, _ chain: inout PointChain) -> [Float] {
        var first: [PointChain.Separate] = []
        while let next = chain.takeFirstSeparate() { first.append(next) }
        let count = colors.tables[0].count
        var tables = colors.tables.map { $0.map { Float($0) } }
        if !first.isEmpty {
            var ramp = [Float](repeating: 0, count: count * 3)
            for band in 0..<3 {
                for index in 0..<count { ramp[index * 3 + band] = tables[band][index] }
            }
            let changed: [Float] = run(first, over: ramp, to: CPHOTOS_FLOATS, filler: 0)
            for band in 0..<3 {
                for index in 0..<count { tables[band][index] = changed[index * 3 + band] }
            }
        }
        let alpha =
            colors.isHalf
            ? colors.tables[0].map { Float($0) }
            : (0..<count).map { Float($0) / Float(count - 1) }
        return tables[0] + tables[1] + tables[2] + alpha
    }

    /// Builds the table that converts the chain's results, 0...1, to bytes.
    ///
    /// Operations at the end of the chain that a table can replace are moved into it.
    ///
    /// The table is empty if it would only multiply by 255.
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
        let last = Int(CPHOTOS_ENCODING_LENGTH) - 1
        let ramp = (0..<(last + 1) * 3).map { Float($0 / 3) / Float(last) }
        return Self.run(lookups, over: ramp, to: CPHOTOS_BYTES, filler: 0)
    }

    /// Applies per-component operations to an array that has three numbers per pixel.
    private static func run<Sample>(
        _ separates: [PointChain.Separate],
        over numbers: [Float],
        to samples: cphotos_samples,
        filler: Sample
    ) -> [Sample] {
        let memory = ProgramMemory()
        let points = separates.map { memory.point(.separate($0)) }
        var program = cphotos_program()
        program.bands = 3
        program.sampleSize = 4
        program.colorBands = 3
        program.points = UnsafePointer(memory.copy(points))
        program.count = Int32(points.count)
        program.output = samples
        program.outputBands = 3
        var result = [Sample](repeating: filler, count: numbers.count)
        numbers.withUnsafeBytes { input in
            result.withUnsafeMutableBytes { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                cphotos_program_run(&program, from, to, 0, 0, Int32(numbers.count / 3))
            }
        }
        withExtendedLifetime(memory) {}
        return result
    }
}

/// The memory that a program references while the program is passed to C.
private final class ProgramMemory {
    private var owned: [UnsafeMutableRawPointer] = []

    deinit { for memory in owned { memory.deallocate() } }

    /// Copies an array into memory that this object owns; an empty array also gets an address.
    func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
        copy.initialize(from: array, count: array.count)
        owned.append(UnsafeMutableRawPointer(copy))
        return copy
    }

    func point(_ link: PointChain.Link) -> cphotos_point {
        switch link {
        case .matrix(let numbers): return PointChain.point(CPHOTOS_MATRIX, numbers)
        case .other(let point): return point
        case .separate(.encode): return PointChain.point(CPHOTOS_ENCODE, [])
        case .separate(.decode): return PointChain.point(CPHOTOS_DECODE, [])
        case .separate(.power(let power)): return PointChain.point(CPHOTOS_POWER, [power])
        case .separate(.curves(let curves)):
            var point = PointChain.point(CPHOTOS_CURVES, [])
            point.curves = UnsafePointer(copy(curves.flatMap { $0.map { Float($0) } }))
            point.curveLength = Int32(curves[0].count)
            return point
        }
    }
}
