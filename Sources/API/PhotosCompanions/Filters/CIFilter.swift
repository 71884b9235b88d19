public import Foundation

/// An image filter with configurable inputs.
///
/// Setting inputs is cheap. ``outputImage`` extends the recipe of the input image, and nothing is
/// rendered until a ``CIContext`` renders the output. A filter is mutable, so only one thread at a
/// time may use it.
///
/// On Apple platforms, an unknown key or a value of the wrong type terminates the program. Here the
/// error is logged, and ``outputImage`` is nil until ``setDefaults()`` is called. An invalid input
/// is never ignored silently.
open class CIFilter: NSObject {
    private let definition: FilterDefinition?
    private var values: [String: Any] = [:]
    /// The error for the first invalid input value that was set.
    private var mistake: CIRenderingError?

    /// Creates a filter without an output image of its own, for subclasses that override
    /// ``outputImage``.
    public override init() {
        definition = nil
        super.init()
    }

    init(_ definition: FilterDefinition) {
        self.definition = definition
        super.init()
        setDefaults()
    }

    /// Creates a filter by name, such as `CIPhotoEffectNoir`, with default inputs; nil for an
    /// unknown name.
    ///
    /// ``filterNames(inCategory:)`` lists the names.
    public convenience init?(name: String) {
        guard let definition = FilterDefinition.all[name] else { return nil }
        self.init(definition)
    }

    /// Creates a filter by name and sets some of its inputs; nil for an unknown name.
    public convenience init?(name: String, parameters params: [String: Any]?) {
        self.init(name: name)
        for (key, value) in params ?? [:] { setValue(value, forKey: key) }
    }

    /// The name that the filter was created with; the class name for a subclass.
    open var name: String { definition?.name ?? String(describing: type(of: self)) }

    /// The keys of the inputs, such as `inputImage`.
    open var inputKeys: [String] { definition?.inputs.map(\.key) ?? [] }

    /// The keys of the outputs: `outputImage`.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// The filtered image; nil if a required image is missing or an invalid value was set.
    open var outputImage: CIImage? {
        guard let definition else { return nil }
        if let mistake {
            RenderingLog.record(mistake)
            return nil
        }
        return definition.make(FilterValues(definition, values))
    }

    /// Returns the filtered image.
    ///
    /// - Throws: ``CIRenderingError`` if a required image is missing or an invalid value was set.
    func output() throws(CIRenderingError) -> CIImage {
        if let mistake { throw mistake }
        guard let outputImage else {
            throw CIRenderingError(
                .invalidRequest,
                "The filter \(name) has no input image.",
                recovery: "Set \(kCIInputImageKey) and all other input images."
            )
        }
        return outputImage
    }

    /// Resets all inputs except images to their defaults, and clears the error that an invalid
    /// value caused.
    open func setDefaults() {
        mistake = nil
        for input in definition?.inputs ?? [] {
            if let value = input.defaultValue { values[input.key] = value }
        }
    }

    /// Sets an input.
    ///
    /// - Parameters:
    ///   - value: A `CIImage`, number, `CIVector`, `CIColor` or `CGAffineTransform`, depending on
    ///     the input. Nil resets the input to its default, or removes the image.
    ///   - key: One of ``inputKeys``.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let definition else { return fail("The filter \(name) has no inputs.") }
        guard let input = definition.input(key) else {
            return fail(
                "The filter \(name) has no input “\(key)”.",
                recovery: "It has \(inputKeys.joined(separator: ", "))."
            )
        }
        guard let value else {
            values[key] = input.defaultValue
            return
        }
        guard let normal = input.normalized(value) else {
            return fail(
                "The input “\(key)” of the filter \(name) cannot be \(value).",
                recovery: "It must be \(input.kindName)."
            )
        }
        values[key] = normal
    }

    /// Returns the value of an input, or the output image.
    ///
    /// Returns nil for an image that is not set and for an unknown key, which is also logged.
    open func value(forKey key: String) -> Any? {
        if key == kCIOutputImageKey { return outputImage }
        guard let input = definition?.input(key) else {
            RenderingLog.record(
                CIRenderingError(.invalidRequest, "The filter \(name) has no input “\(key)”.")
            )
            return nil
        }
        return values[input.key]
    }

    private func fail(_ text: String, recovery: String? = nil) {
        let error = CIRenderingError(.invalidRequest, text, recovery: recovery)
        RenderingLog.record(error)
        mistake = mistake ?? error
    }

    /// The attributes of the filter and its inputs, for display.
    ///
    /// The dictionary contains `CIAttributeFilterName`, `CIAttributeFilterDisplayName` and
    /// `CIAttributeFilterCategories`. For each input's key it contains a dictionary with class,
    /// type, default, limits and description.
    open var attributes: [String: Any] { definition?.attributes ?? [kCIAttributeFilterName: name] }

    /// A debug description with the filter's name and the values of its inputs.
    open override var description: String {
        let inputs = inputKeys.compactMap { key in values[key].map { "\(key) = \($0)" } }
        return "<\(name): \(inputs.joined(separator: ", "))>"
    }

    // MARK: - Available filters

    /// Returns the sorted names of all filters in a category, or of all filters if the category is
    /// nil.
    open class func filterNames(inCategory category: String?) -> [String] {
        filterNames(inCategories: category.map { [$0] })
    }

    /// Returns the sorted names of the filters that belong to all given categories, or of all
    /// filters if the categories are nil.
    open class func filterNames(inCategories categories: [String]?) -> [String] {
        FilterDefinition.all.values
            .filter { Set(categories ?? []).isSubset(of: $0.categories) }
            .map(\.name).sorted()
    }

    /// Returns the display name of a filter; nil for an unknown name.
    open class func localizedName(forFilterName filterName: String) -> String? {
        FilterDefinition.all[filterName]?.displayName
    }
}
