internal import Glibc
internal import PhotoModel

/// A sink that converts rows to linear light and passes them to another sink.
///
/// The resulting pixels have half-precision components in extended linear Display P3.
final class LightRows: RowSink {
    /// The format of the input rows, which have four components with alpha last.
    enum Source {
        /// 8-bit Display P3, with an optional gain map.
        case plain(GainRows?)
        /// 16-bit values of an HDR signal.
        case signal(PictureSignal)
    }

    private let next: any RowSink
    private let source: Source
    /// The maximum brightness as a multiple of SDR white; 0 for no limit.
    private let headroom: Float
    private var pixel = 0
    private var halves: [Float16] = []

    init(_ source: Source, headroom: Double, into next: any RowSink) {
        self.source = source
        self.next = next
        self.headroom = headroom > 0 ? Float(max(1, headroom)) : 0
    }

    var isCancelled: Bool { next.isCancelled }

    func restart() {
        pixel = 0
        next.restart()
    }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        switch source {
        case .plain(let gain): takePlain(rows, gain)
        case .signal(let signal): takeSignal(rows.bindMemory(to: UInt16.self), signal)
        }
        return halves.withUnsafeBytes { next.take($0) }
    }

    // MARK: - Sources

    private func takePlain(_ rows: UnsafeRawBufferPointer, _ gain: GainRows?) {
        prepare(rows.count)
        let first = pixel
        for start in stride(from: 0, to: rows.count, by: 4) {
            var light = (
                LightCurve.plain[Int(rows[start])], LightCurve.plain[Int(rows[start + 1])],
                LightCurve.plain[Int(rows[start + 2])]
            )
            if let gain { gain.apply(to: &light, at: first + start / 4) }
            store(light, Float(rows[start + 3]) / 255, at: start)
        }
        pixel += rows.count / 4
    }

    private func takeSignal(_ rows: UnsafeBufferPointer<UInt16>, _ signal: PictureSignal) {
        prepare(rows.count)
        let matrix = signal.matrix
        let isRelative = signal.transfer == 18
        let curve = isRelative ? LightCurve.hybridLogGamma : LightCurve.perceptualQuantizer
        for start in stride(from: 0, to: rows.count, by: 4) {
            var red = curve[Int(rows[start])]
            var green = curve[Int(rows[start + 1])]
            var blue = curve[Int(rows[start + 2])]
            if isRelative {
                // The system gamma of a display of 1000 cd/m².
                let luminance = 0.2627 * red + 0.6780 * green + 0.0593 * blue
                let gain = powf(max(luminance, 1e-6), 0.2) * Float(1000 / LightCurve.white)
                red *= gain
                green *= gain
                blue *= gain
            }
            let light = (
                matrix[0] * red + matrix[1] * green + matrix[2] * blue,
                matrix[3] * red + matrix[4] * green + matrix[5] * blue,
                matrix[6] * red + matrix[7] * green + matrix[8] * blue
            )
            store(limited(light), Float(rows[start + 3]) / 65535, at: start)
        }
        pixel += rows.count / 4
    }

    // MARK: - Parts

    private func prepare(_ count: Int) {
        if halves.count != count { halves = [Float16](repeating: 0, count: count) }
    }

    private func store(_ light: (Float, Float, Float), _ alpha: Float, at start: Int) {
        halves[start] = Float16(min(max(light.0, -60000), 60000))
        halves[start + 1] = Float16(min(max(light.1, -60000), 60000))
        halves[start + 2] = Float16(min(max(light.2, -60000), 60000))
        halves[start + 3] = Float16(alpha)
    }

    /// Limits a color's brightness to the headroom: values above four fifths of the headroom are
    /// compressed.
    private func limited(_ light: (Float, Float, Float)) -> (Float, Float, Float) {
        let brightest = max(light.0, light.1, light.2)
        let knee = headroom * 0.8
        guard headroom > 0, brightest > knee else { return light }
        let excess = (brightest - knee) / (headroom - knee)
        let factor = (knee + (headroom - knee) * excess / (1 + excess)) / brightest
        return (light.0 * factor, light.1 * factor, light.2 * factor)
    }
}
