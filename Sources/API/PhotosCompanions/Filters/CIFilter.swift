public import Foundation

/// A change of a picture, with values that say how.
///
/// Setting values costs nothing; ``outputImage`` is a longer recipe, and nothing is drawn before a
/// ``CIContext`` does. A filter can be changed, so it belongs to one thread at a time.
///
/// A key that a filter does not have, or a value of the wrong kind, ends a program on Apple's systems. Here
/// it is logged and ``outputImage`` is nil until ``setDefaults()``: never a picture without what was
/// asked for.
open class CIFilter: NSObject {
    private let definition: FilterDefinition?
    private var values: [String: Any] = [:]
    /// What was set that can't be.
    private var mistake: CIRenderingError?

    /// A filter of a subclass, which overrides ``outputImage``.
    public override init() {
        definition = nil
        super.init()
    }

    init(_ definition: FilterDefinition) {
        self.definition = definition
        super.init()
        setDefaults()
    }

    /// A filter by its name, such as `CIPhotoEffectNoir`, with its inputs as they are by default; nil for
    /// a name that there is not here.
    ///
    /// ``filterNames(inCategory:)`` lists them.
    public convenience init?(name: String) {
        guard let definition = FilterDefinition.all[name] else { return nil }
        self.init(definition)
    }

    /// A filter by its name, with some of its inputs set; nil for a name that there is not here.
    public convenience init?(name: String, parameters params: [String: Any]?) {
        self.init(name: name)
        for (key, value) in params ?? [:] { setValue(value, forKey: key) }
    }

    /// The name by which it was made; the class's for a subclass.
    open var name: String { definition?.name ?? String(describing: type(of: self)) }

    /// The keys of its inputs, such as `inputImage`.
    open var inputKeys: [String] { definition?.inputs.map(\.key) ?? [] }

    /// The keys of what it makes: `outputImage`.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// The picture that comes of it; nil while a picture that it needs is missing, or after something was
    /// set that can't be.
    open var outputImage: CIImage? {
        guard let definition else { return nil }
        if let mistake {
            RenderingLog.record(mistake)
            return nil
        }
        return definition.make(FilterValues(definition, values))
    }

    /// The output, or why there is none.
    func output() throws(CIRenderingError) -> CIImage {
        if let mistake { throw mistake }
        guard let outputImage else {
            throw CIRenderingError(
                .invalidRequest,
                "The filter \(name) has no picture to work on.",
                recovery: "Set \(kCIInputImageKey) and every other picture that it takes."
            )
        }
        return outputImage
    }

    /// Sets all inputs but pictures to their defaults, and forgets what could not be set.
    open func setDefaults() {
        mistake = nil
        for input in definition?.inputs ?? [] {
            if let value = input.defaultValue { values[input.key] = value }
        }
    }

    /// Sets an input.
    ///
    /// - Parameters:
    ///   - value: A `CIImage`, a number, a `CIVector`, a `CIColor` or a `CGAffineTransform`, whichever
    ///     the input takes; nil for its default, or for no picture.
    ///   - key: One of ``inputKeys``.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let definition else { return fail("The filter \(name) has no inputs of its own.") }
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
                "The input “\(key)” of the filter \(name) can't be \(value).",
                recovery: "It takes \(input.kindName)."
            )
        }
        values[key] = normal
    }

    /// What an input is set to, or what comes of the filter; nil for a key that it does not have, which is
    /// logged, and for a picture that is not set.
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

    /// What a person may want to know of the filter and of each of its inputs.
    ///
    /// Under `CIAttributeFilterName`, `CIAttributeFilterDisplayName` and `CIAttributeFilterCategories`,
    /// and for each input's key a dictionary with its class, type, default, limits and description.
    open var attributes: [String: Any] { definition?.attributes ?? [kCIAttributeFilterName: name] }

    /// The name and what the inputs are set to.
    open override var description: String {
        let inputs = inputKeys.compactMap { key in values[key].map { "\(key) = \($0)" } }
        return "<\(name): \(inputs.joined(separator: ", "))>"
    }

    // MARK: - What there is

    /// The names of all filters of a category, sorted; of all that there are for nil.
    open class func filterNames(inCategory category: String?) -> [String] {
        filterNames(inCategories: category.map { [$0] })
    }

    /// The names of all filters that are in each of the categories, sorted; of all that there are for nil.
    open class func filterNames(inCategories categories: [String]?) -> [String] {
        FilterDefinition.all.values
            .filter { Set(categories ?? []).isSubset(of: $0.categories) }
            .map(\.name).sorted()
    }

    /// What people call a filter; nil for a name that there is not here.
    open class func localizedName(forFilterName filterName: String) -> String? {
        FilterDefinition.all[filterName]?.displayName
    }
}
