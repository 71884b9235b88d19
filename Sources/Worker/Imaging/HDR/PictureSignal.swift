/// The color primaries and the transfer function of an image's stored values, as H.273 codes.
package struct PictureSignal: Hashable, Sendable {
    package var primaries: Int
    package var transfer: Int

    package init(primaries: Int, transfer: Int) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// Indicates whether the transfer function is PQ or HLG, which represent light brighter than
    /// SDR white.
    package var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// The matrix that converts linear light from the image's primaries to the primaries of Display
    /// P3.
    var matrix: [Float] {
        switch primaries {
        case 9:
            [
                1.343578, -0.282180, -0.061399, -0.065297, 1.075788, -0.010490, 0.002822,
                -0.019598, 1.016777,
            ]
        case 11, 12: [1, 0, 0, 0, 1, 0, 0, 0, 1]
        default:
            [0.822462, 0.177538, 0, 0.033194, 0.966806, 0, 0.017083, 0.072397, 0.910520]
        }
    }
}
