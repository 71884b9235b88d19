/// A picture as a function of the position in it.
///
/// Coordinates have their origin at the upper left. The height is 1 and the width is the picture's
/// aspect, so a scene looks the same at every size.
protocol Scene: Sendable {
    /// Returns the color at a point, 0...1 per channel, sRGB; values outside are clipped.
    ///
    /// `pixel` is the side of a pixel in the scene's units, for soft edges.
    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float>
}

/// The scenes of sample pictures.
package enum SceneKind: String, CaseIterable, Sendable {
    case hills, lake, sea, town, night, dunes, flowers, portrait, winter, desktop

    /// Creates the scene, which then returns the color of each pixel.
    ///
    /// The same `seed` gives the same picture. `phase` is the time in seconds from 0: clouds drift,
    /// boats sail, a face turns. `aspect` is width / height.
    func scene(seed: UInt64, phase: Float, aspect: Float) -> any Scene {
        switch self {
        case .hills: HillsScene(seed: seed, phase: phase, aspect: aspect)
        case .lake: LakeScene(seed: seed, phase: phase, aspect: aspect)
        case .town: TownScene(seed: seed, phase: phase, aspect: aspect)
        case .night: NightScene(seed: seed, phase: phase, aspect: aspect)
        case .dunes: DunesScene(seed: seed, phase: phase, aspect: aspect)
        case .flowers: FlowersScene(seed: seed, phase: phase, aspect: aspect)
        case .portrait: PortraitScene(seed: seed, phase: phase, aspect: aspect)
        case .winter: WinterScene(seed: seed, phase: phase, aspect: aspect)
        case .desktop: DesktopScene(seed: seed, phase: phase, aspect: aspect)
        case .sea: SeaScene(seed: seed, phase: phase, aspect: aspect)
        }
    }
}
