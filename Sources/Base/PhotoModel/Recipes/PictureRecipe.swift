/// A recipe for an image: a list of steps, each of which is a source or an operation.
///
/// A step follows all steps that it depends on.
///
/// The recipe specifies the result, not the method. A renderer may combine steps and omit steps
/// that do not affect the result.
package struct PictureRecipe: Codable, Hashable, Sendable {
    /// An operation of a step, whose inputs are the results of earlier steps.
    package enum Operation: Codable, Hashable, Sendable {
        /// A source of the recipe, with its lower left corner at 0, 0.
        case source(Int)
        /// A uniform color of infinite extent, given by sRGB-encoded components and alpha.
        case color(red: Double, green: Double, blue: Double, alpha: Double)
        /// Changes colors pixel by pixel.
        case point([PointOperation])
        /// Crops to a rectangle with integer coordinates.
        case crop(RecipeRectangle)
        case transform(RecipeTransform)
        /// Resizes with a Lanczos filter, and scales the position of the lower left corner as well.
        case scale(horizontal: Double, vertical: Double)
        /// A Gaussian blur with a standard deviation in pixels.
        case blur(sigma: Double)
        /// Unsharp mask: adds `amount` times the difference between the image and a blurred copy.
        ///
        /// The difference is computed in luminance or in each color component.
        case sharpen(sigma: Double, amount: Double, isLuminance: Bool)
        /// Applies the point operation `tones`, with the luminance taken from a blurred copy.
        case tones(highlights: Double, shadows: Double, sigma: Double)
        /// Extends the edge colors infinitely.
        case clamp
        /// Composites the first input over the second.
        case over
    }

    package struct Step: Codable, Hashable, Sendable {
        package var operation: Operation
        /// The indexes of the earlier steps whose results are the inputs.
        package var inputs: [Int]

        package init(_ operation: Operation, of inputs: [Int] = []) {
            self.operation = operation
            self.inputs = inputs
        }
    }

    /// The steps; the last one produces the image.
    package var steps: [Step]

    package init(steps: [Step] = []) {
        self.steps = steps
    }

    /// Computes the extent of each step's result.
    ///
    /// - Parameter sizes: The sizes of the sources.
    /// - Returns: A rectangle for each step, or nil if the recipe is invalid because a step refers
    ///   to a later step or to a missing source.
    package func extents(sizes: [PixelSize]) -> [RecipeRectangle]? {
        var found: [RecipeRectangle] = []
        for step in steps {
            let inputs = step.inputs.compactMap { found.indices.contains($0) ? found[$0] : nil }
            guard inputs.count == step.inputs.count, inputs.count == step.operation.inputCount
            else { return nil }
            if case .source(let index) = step.operation, !sizes.indices.contains(index) {
                return nil
            }
            found.append(step.operation.extent(of: inputs, sizes: sizes))
        }
        return found
    }
}

extension PictureRecipe.Operation {
    /// The number of inputs that the operation needs.
    package var inputCount: Int {
        switch self {
        case .source, .color: 0
        case .over: 2
        default: 1
        }
    }

    /// Returns the radius of a blur in pixels: three standard deviations, rounded up.
    package static func reach(ofSigma sigma: Double) -> Double { (3 * sigma).rounded(.up) }

    /// Returns the extent of the operation's result, given the extents of its `inputCount` inputs.
    package func extent(of inputs: [RecipeRectangle], sizes: [PixelSize]) -> RecipeRectangle {
        let input = inputs.first ?? .empty
        switch self {
        case .source(let index): return RecipeRectangle(sizes[index])
        case .color: return .infinite
        case .point, .sharpen, .tones: return input
        case .crop(let rectangle): return input.intersection(rectangle)
        case .transform(let transform): return transform.applied(to: input).integral
        case .scale(let horizontal, let vertical):
            guard !input.isEmpty, !input.isInfinite else { return input }
            let left = (input.minX * horizontal).rounded()
            let bottom = (input.minY * vertical).rounded()
            return RecipeRectangle(
                minX: left,
                minY: bottom,
                maxX: left + max(1, (input.width * horizontal).rounded()),
                maxY: bottom + max(1, (input.height * vertical).rounded())
            )
        case .blur(let sigma): return input.grown(by: Self.reach(ofSigma: sigma))
        case .clamp: return input.isEmpty ? .empty : .infinite
        case .over: return input.union(inputs.last ?? .empty)
        }
    }
}
