import Foundation
import Photos

/// A way to request a picture, and its expected geometry, computed here from the rules only.
enum Variant: String, CaseIterable, Sendable {
    case fit, fill, exactFit, exactFill, cropFit, cropFill, cropWhole, large, full

    /// The requested size.
    var size: CGSize {
        switch self {
        case .fit: CGSize(width: 200, height: 200)
        case .fill: CGSize(width: 220, height: 130)
        case .exactFit: CGSize(width: 240, height: 160)
        case .exactFill: CGSize(width: 150, height: 210)
        case .cropFit: CGSize(width: 160, height: 120)
        case .cropFill: CGSize(width: 128, height: 128)
        case .cropWhole: CGSize(width: 100, height: 100)
        case .large: CGSize(width: 700, height: 700)
        case .full: PHImageManagerMaximumSize
        }
    }

    var mode: PHImageContentMode {
        switch self {
        case .fill, .exactFill, .cropFill: .aspectFill
        default: .aspectFit
        }
    }

    var resize: PHImageRequestOptionsResizeMode {
        switch self {
        case .fit, .fill, .large: .fast
        case .cropWhole: .none
        default: .exact
        }
    }

    /// The part of the upright picture, in fractions; nil for all of it.
    var crop: CGRect? {
        switch self {
        case .cropFit: CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        case .cropFill: CGRect(x: 0.25, y: 0.1, width: 0.5, height: 0.6)
        case .cropWhole: CGRect(x: 0.125, y: 0.25, width: 0.5, height: 0.375)
        default: nil
        }
    }

    /// Whether every pixel of the file, or of a part, is compared.
    var takesAllPixels: Bool { self == .full || self == .cropWhole }

    /// The variants of a short run.
    static let thrifty: [Variant] = [.fit, .fill, .exactFit, .exactFill, .cropFit, .cropFill]

    /// Returns the geometry that a result has for a picture of a given size.
    ///
    /// - Parameters:
    ///   - whole: The upright picture's size.
    ///   - given: The result's size; where `fast` leaves a choice, a size that keeps the aspect is
    ///     right.
    /// - Returns: The expected geometry.
    func geometry(of whole: Area, given: Area) -> Geometry {
        let part = crop.map { Self.part($0, of: whole) } ?? Place(x: 0, y: 0, area: whole)
        let wanted = Area(width: Int(size.width), height: Int(size.height))
        switch resize {
        case .none: return Geometry(part: part, inner: part.area, canvas: part.area)
        case .exact where self != .full:
            if mode == .aspectFill {
                let middle = Self.middle(of: part, wanted)
                return Geometry(part: middle, inner: wanted, canvas: wanted)
            }
            let inner = Self.scaled(part.area, into: wanted, covering: false)
            return Geometry(part: part, inner: inner, canvas: wanted)
        case .fast:
            let least = Self.scaled(part.area, into: wanted, covering: mode == .aspectFill)
            let floor = Area(
                width: min(least.width, whole.width),
                height: min(least.height, whole.height)
            )
            let isRight =
                given.width >= floor.width && given.height >= floor.height
                && given.width <= whole.width && given.height <= whole.height
                && given.hasAspect(of: whole)
            let inner = isRight ? given : floor
            return Geometry(part: part, inner: inner, canvas: inner)
        default: return Geometry(part: part, inner: whole, canvas: whole)
        }
    }

    private static func part(_ crop: CGRect, of whole: Area) -> Place {
        func span(_ start: CGFloat, _ end: CGFloat, _ side: Int) -> (Int, Int) {
            let first = min(Int((start * CGFloat(side)).rounded()), side - 1)
            return (first, max(1, Int((end * CGFloat(side)).rounded()) - first))
        }
        let (x, width) = span(crop.minX, crop.maxX, whole.width)
        let (y, height) = span(crop.minY, crop.maxY, whole.height)
        return Place(x: x, y: y, area: Area(width: width, height: height))
    }

    private static func scaled(_ area: Area, into wanted: Area, covering: Bool) -> Area {
        let across = Double(wanted.width) / Double(area.width)
        let down = Double(wanted.height) / Double(area.height)
        let factor = covering ? max(across, down) : min(across, down)
        return Area(
            width: max(1, Int((Double(area.width) * factor).rounded())),
            height: max(1, Int((Double(area.height) * factor).rounded()))
        )
    }

    private static func middle(of part: Place, _ wanted: Area) -> Place {
        let factor = max(
            Double(wanted.width) / Double(part.area.width),
            Double(wanted.height) / Double(part.area.height)
        )
        let area = Area(
            width: min(part.area.width, max(1, Int((Double(wanted.width) / factor).rounded()))),
            height: min(part.area.height, max(1, Int((Double(wanted.height) / factor).rounded())))
        )
        return Place(
            x: part.x + (part.area.width - area.width) / 2,
            y: part.y + (part.area.height - area.height) / 2,
            area: area
        )
    }
}

/// A size in pixels.
struct Area: Hashable, Sendable, CustomStringConvertible {
    var width: Int
    var height: Int

    static let zero = Area(width: 0, height: 0)

    var description: String { "\(width)×\(height)" }

    /// Returns whether it is another size scaled, to the pixel.
    func hasAspect(of other: Area) -> Bool {
        let down = Double(width) * Double(other.height) / Double(other.width)
        let across = Double(height) * Double(other.width) / Double(other.height)
        return abs(down - Double(height)) <= 1 || abs(across - Double(width)) <= 1
    }
}

/// A rectangle in pixels.
struct Place: Hashable, Sendable {
    var x: Int
    var y: Int
    var area: Area
}

/// The part of the picture, the size that it is scaled to, and the result in whose center it is.
struct Geometry: Hashable, Sendable {
    var part: Place
    var inner: Area
    var canvas: Area

    /// The picture's origin in the result.
    var origin: (x: Int, y: Int) {
        ((canvas.width - inner.width) / 2, (canvas.height - inner.height) / 2)
    }
}
