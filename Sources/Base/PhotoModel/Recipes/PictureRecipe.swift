/// How a picture is made of others: sources and operations, in an order in which each needs only
/// earlier ones.
///
/// It says what is wanted, not how: whoever renders it may join steps and leave out what nobody sees.
package struct PictureRecipe: Codable, Hashable, Sendable {
    /// What a step does with the pictures of earlier steps.
    package enum Operation: Codable, Hashable, Sendable {
        /// One of the recipe's sources, its lower left corner at 0, 0.
        case source(Int)
        /// One colour everywhere: sRGB's signal and alpha.
        case color(red: Double, green: Double, blue: Double, alpha: Double)
        /// Changes colours pixel by pixel.
        case point([PointOperation])
        /// What lies in a rectangle of whole numbers.
        case crop(RecipeRectangle)
        case transform(RecipeTransform)
        /// Another size, with a Lanczos filter; the lower left corner is scaled too.
        case scale(horizontal: Double, vertical: Double)
        /// A Gaussian blur with a standard deviation in pixels.
        case blur(sigma: Double)
        /// Adds what a blur takes away: so much of it, of luminance alone or of each colour.
        case sharpen(sigma: Double, amount: Double, isLuminance: Bool)
        /// As the point operation `tones`, by luminance that was blurred.
        case tones(highlights: Double, shadows: Double, sigma: Double)
        /// The colours of the edge go on for ever.
        case clamp
        /// The first on the second.
        case over
    }

    package struct Step: Codable, Hashable, Sendable {
        package var operation: Operation
        /// Earlier steps.
        package var inputs: [Int]

        package init(_ operation: Operation, of inputs: [Int] = []) {
            self.operation = operation
            self.inputs = inputs
        }
    }

    /// The last one is the picture.
    package var steps: [Step]

    package init(steps: [Step] = []) {
        self.steps = steps
    }

    /// Where each step's picture lies.
    ///
    /// - Parameter sizes: Of the sources.
    /// - Returns: A rectangle for each step; nil when the recipe is not one: a step needs a later one,
    ///   or a source that there is not.
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
    /// How many pictures it needs.
    package var inputCount: Int {
        switch self {
        case .source, .color: 0
        case .over: 2
        default: 1
        }
    }

    /// How far a blur reaches.
    package static func reach(ofSigma sigma: Double) -> Double { (3 * sigma).rounded(.up) }

    /// Where the result lies; `inputs` are as many as it needs.
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
