/// The requested part and size of an image.
package struct PixelShape: Codable, Hashable, Sendable {
    /// The way an image is fitted to a size with another aspect ratio.
    package enum Fitting: String, Codable, Hashable, Sendable, CaseIterable {
        /// Scales the image down to fit inside the size; does not enlarge smaller images.
        case fit
        /// Scales the image down to cover the size, which it may exceed; does not enlarge smaller
        /// images.
        case fill
        /// Fits the image inside a result of exactly the requested size.
        ///
        /// The rest is transparent (alpha 0), or white in layouts without alpha.
        case exactFit
        /// Fills exactly the requested size; the excess is cropped evenly on both sides.
        case exactFill
    }

    /// The size in pixels; nil for the full size.
    package var size: PixelSize?
    package var fitting: Fitting
    /// A part of the upright image, in fractions of its sides; nil for the whole image.
    package var crop: UnitRectangle?

    package init(
        size: PixelSize? = nil,
        fitting: Fitting = .fit,
        crop: UnitRectangle? = nil
    ) {
        self.size = size
        self.fitting = fitting
        self.crop = crop
    }
}

/// The dynamic range of an image's pixels.
package enum PixelRange: Codable, Hashable, Sendable {
    /// The range of an SDR display.
    case standard
    /// A range that extends above SDR white if the image contains brighter values.
    ///
    /// The maximum is `headroom` times white, or the image's own headroom if `headroom` is 0.
    case high(headroom: Double)
}

/// A rectangle in fractions of an image's sides, from its upper left corner.
package struct UnitRectangle: Codable, Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A rectangle in pixels.
package struct PixelRectangle: Codable, Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var size: PixelSize

    package init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }
}

/// A plan for producing a `PixelShape` from an upright image: crop a part, scale it and center it
/// in a canvas.
package struct PixelPlan: Hashable, Sendable {
    /// The part to take from the image.
    package var crop: PixelRectangle
    /// The size to which the part is scaled.
    package var scaled: PixelSize
    /// The size of the result; the scaled part is centered in it.
    package var canvas: PixelSize

    /// Creates the plan for a shape of an image whose sides are both at least 1.
    package init(_ shape: PixelShape, of whole: PixelSize) {
        crop = Self.part(shape.crop, of: whole)
        scaled = crop.size
        canvas = crop.size
        guard let wanted = shape.size, wanted.width > 0, wanted.height > 0 else { return }
        switch shape.fitting {
        case .fit, .fill:
            let across = Double(wanted.width) / Double(crop.size.width)
            let down = Double(wanted.height) / Double(crop.size.height)
            let factor = min(1, shape.fitting == .fit ? min(across, down) : max(across, down))
            scaled = Self.scale(crop.size, by: factor)
            canvas = scaled
        case .exactFit:
            let across = Double(wanted.width) / Double(crop.size.width)
            let down = Double(wanted.height) / Double(crop.size.height)
            let inside = Self.scale(crop.size, by: min(across, down))
            scaled = PixelSize(
                width: min(inside.width, wanted.width),
                height: min(inside.height, wanted.height)
            )
            canvas = wanted
        case .exactFill:
            crop = Self.middle(of: crop, withAspectOf: wanted)
            scaled = wanted
            canvas = wanted
        }
    }

    /// The position of the scaled part in the canvas.
    package var origin: (x: Int, y: Int) {
        ((canvas.width - scaled.width) / 2, (canvas.height - scaled.height) / 2)
    }

    /// Returns the plan with its crop converted to the coordinates of a smaller copy of the image.
    package func moved(from whole: PixelSize, to copy: PixelSize) -> PixelPlan {
        guard whole != copy, whole.width > 0, whole.height > 0 else { return self }
        let x = Double(copy.width) / Double(whole.width)
        let y = Double(copy.height) / Double(whole.height)
        var plan = self
        let left = min(Int((Double(crop.x) * x).rounded()), copy.width - 1)
        let top = min(Int((Double(crop.y) * y).rounded()), copy.height - 1)
        let width = Int((Double(crop.size.width) * x).rounded())
        let height = Int((Double(crop.size.height) * y).rounded())
        plan.crop = PixelRectangle(
            x: left,
            y: top,
            size: PixelSize(
                width: min(max(1, width), copy.width - left),
                height: min(max(1, height), copy.height - top)
            )
        )
        return plan
    }

    /// Returns whether a smaller copy of the image has enough pixels for the plan's result.
    package func isCovered(by copy: PixelSize, of whole: PixelSize) -> Bool {
        let moved = moved(from: whole, to: copy).crop.size
        return moved.width >= min(scaled.width, crop.size.width)
            && moved.height >= min(scaled.height, crop.size.height)
    }

    private static func part(_ crop: UnitRectangle?, of whole: PixelSize) -> PixelRectangle {
        guard let crop else { return PixelRectangle(x: 0, y: 0, size: whole) }
        func span(_ start: Double, _ length: Double, of side: Int) -> Range<Int> {
            guard start.isFinite, length.isFinite else { return 0..<side }
            let from = (min(max(start, 0), 1) * Double(side)).rounded()
            let to = (min(max(start + length, 0), 1) * Double(side)).rounded()
            let first = min(Int(from), side - 1)
            return first..<max(first + 1, Int(to))
        }
        let columns = span(crop.x, crop.width, of: whole.width)
        let rows = span(crop.y, crop.height, of: whole.height)
        return PixelRectangle(
            x: columns.lowerBound,
            y: rows.lowerBound,
            size: PixelSize(width: columns.count, height: rows.count)
        )
    }

    private static func scale(_ size: PixelSize, by factor: Double) -> PixelSize {
        // A size that a program requests can be any number.
        func scaled(_ side: Int) -> Int {
            max(1, Int(min((Double(side) * factor).rounded(), 1e15)))
        }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    private static func middle(
        of part: PixelRectangle,
        withAspectOf wanted: PixelSize
    ) -> PixelRectangle {
        let aspect = Double(wanted.width) / Double(wanted.height)
        var size = part.size
        if Double(size.width) > Double(size.height) * aspect {
            size.width = max(1, Int((Double(size.height) * aspect).rounded()))
        } else {
            size.height = max(1, min(size.height, Int((Double(size.width) / aspect).rounded())))
        }
        return PixelRectangle(
            x: part.x + (part.size.width - size.width) / 2,
            y: part.y + (part.size.height - size.height) / 2,
            size: size
        )
    }
}

extension PixelRectangle {
    /// Converts a rectangle of the upright image to the corresponding rectangle of the stored
    /// pixels.
    ///
    /// `stored` is the size of the stored pixels.
    package func stored(in stored: PixelSize, orientation: Orientation) -> PixelRectangle {
        let (width, height) = (size.width, size.height)
        let turned = orientation.swapsSides ? PixelSize(width: height, height: width) : size
        let (left, top): (Int, Int) =
            switch orientation {
            case .up: (x, y)
            case .upMirrored: (stored.width - x - width, y)
            case .down: (stored.width - x - width, stored.height - y - height)
            case .downMirrored: (x, stored.height - y - height)
            case .leftMirrored: (y, x)
            case .right: (y, stored.height - x - width)
            case .rightMirrored: (stored.width - y - height, stored.height - x - width)
            case .left: (stored.width - y - height, x)
            }
        return PixelRectangle(x: left, y: top, size: turned)
    }
}
