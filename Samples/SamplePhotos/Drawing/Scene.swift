/// A picture as a function of the place in it.
///
/// Coordinates have their origin at the upper left; the height is 1 and the width is the picture's
/// aspect, so a scene looks alike at every size.
protocol Scene: Sendable {
    /// The color at a point, 0...1 per channel, sRGB; values outside are cut off.
    ///
    /// `pixel` is the side of a pixel in the scene's units, for soft edges.
    func color(x: Float, y: Float, pixel: Float) -> SIMD3<Float>
}

/// What a sample picture shows.
package enum SceneKind: String, CaseIterable, Sendable {
    case hills, lake, sea, town, night, dunes, flowers, portrait, winter, desktop

    /// Draws nothing yet: sets the scene, which then answers for each pixel.
    ///
    /// The same `seed` gives the same picture. `phase` is time in seconds, 0 at the start: clouds
    /// drift, boats sail, a face turns. `aspect` is width / height.
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
