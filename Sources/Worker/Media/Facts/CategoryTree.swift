/// ACDSee's categories: a tree of XML elements, stored as text in one XMP property.
///
///     <Categories><Category Assigned="0">Places<Category Assigned="1">Rome</Category></Category>…
///
/// Parsing stops at the first malformed part; the categories before it are kept.
struct CategoryTree {
    /// The maximum depth of categories.
    private static let maximumDepth = 32

    /// The paths of the categories that are assigned to the image, each from the top of the tree.
    private(set) var paths: [[String]] = []

    init(_ text: String) {
        var open: [(name: String?, isAssigned: Bool)] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<"),
            let end = rest[start...].firstIndex(of: ">")
        {
            close(rest[..<start], in: &open)
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/Category") {
                if open.popLast() == nil { return }
            } else if tag.hasPrefix("Category"), !tag.hasSuffix("/") {
                guard open.count < Self.maximumDepth else { return }
                let isAssigned = tag.contains("Assigned=\"1\"") || tag.contains("Assigned='1'")
                open.append((nil, isAssigned))
            }
        }
    }

    /// Sets the name of the innermost open category to a text, unless the category already has a
    /// name.
    ///
    /// The text is the one before a tag.
    private mutating func close(
        _ text: Substring,
        in open: inout [(name: String?, isAssigned: Bool)]
    ) {
        guard let last = open.indices.last, open[last].name == nil,
            let name = Text.clean(Self.unescaped(text))
        else { return }
        open[last].name = name
        if open[last].isAssigned { paths.append(open.compactMap(\.name)) }
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")]
        return (entities + [("&amp;", "&")]).reduce(String(text)) { result, entity in
            result.replacing(entity.0, with: entity.1)
        }
    }
}
