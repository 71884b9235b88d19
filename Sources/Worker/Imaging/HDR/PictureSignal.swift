/// What the numbers of a picture mean, by H.273: its primaries and its curve.
package struct PictureSignal: Hashable, Sendable {
    package var primaries: Int
    package var transfer: Int

    package init(primaries: Int, transfer: Int) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// Whether it can tell of light that is brighter than white: PQ and HLG.
    package var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// Brings light by these primaries to Display P3's.
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
