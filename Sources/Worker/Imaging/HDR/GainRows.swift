internal import Glibc
internal import PhotoModel

/// A gain map that has one value for each pixel of the image to which it applies.
final class GainRows {
    private let map: [UInt8]
    /// The linear-light multipliers, indexed by channel and by gain map value.
    private let factors: [[Float]]
    private let before: [Float]
    private let after: [Float]

    /// Creates a gain map from values with three bytes per pixel, in the order of the image's
    /// pixels.
    init(_ gainMap: GainMap, map: [UInt8], headroom: Double) {
        self.map = map
        let weight = gainMap.weight(forStops: headroom > 0 ? log2(max(1, headroom)) : nil)
        switch gainMap.meaning {
        case .stops(let channels):
            let three = (0..<3).map { channels[min($0, channels.count - 1)] }
            factors = three.map { channel in
                (0...255).map { number in
                    let share = pow(Double(number) / 255, 1 / max(channel.gamma, 1e-3))
                    let stops = channel.minimum * (1 - share) + channel.maximum * share
                    return Float(exp2(stops * weight))
                }
            }
            before = three.map { Float($0.baseOffset) }
            after = three.map { Float($0.alternateOffset) }
        case .share(let most):
            let headroom = exp2(log2(max(1, most)) * weight)
            let one = LightCurve.plain.map { 1 + Float(headroom - 1) * $0 }
            factors = [one, one, one]
            before = [0, 0, 0]
            after = [0, 0, 0]
        }
    }

    /// Applies the gain map to the linear light of the pixel at an index.
    func apply(to light: inout (Float, Float, Float), at pixel: Int) {
        let start = pixel * 3
        guard start + 2 < map.count else { return }
        light.0 = (light.0 + before[0]) * factors[0][Int(map[start])] - after[0]
        light.1 = (light.1 + before[1]) * factors[1][Int(map[start + 1])] - after[1]
        light.2 = (light.2 + before[2]) * factors[2][Int(map[start + 2])] - after[2]
    }
}

/// A sink that stores rows in memory.
final class RowMemory: RowSink {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let isStopped: () -> Bool

    init(limit: Int, isStopped: @escaping () -> Bool) {
        self.limit = limit
        self.isStopped = isStopped
    }

    var isCancelled: Bool { isStopped() }

    func restart() { bytes = [] }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + rows.count <= limit else { return false }
        bytes.append(contentsOf: rows)
        return !isCancelled
    }
}
