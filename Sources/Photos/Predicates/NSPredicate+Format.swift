public import Foundation

// Foundation on Linux declares these initializers and marks them as unavailable; those of an
// extension win over them, also where the client imports Foundation itself.
extension NSPredicate {
    /// A predicate from a format, such as `mediaType == %d AND creationDate > %@`.
    ///
    /// A format that cannot be read does not stop the program: the fetch that uses the predicate logs
    /// what is wrong, with its position, and is empty.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: What stands for `%@`, `%K`, `%d` and so on. Numbers of any type, texts, dates,
    ///     objects of the library, and arrays and sets of these.
    public convenience init(format predicateFormat: String, _ arguments: Any?...) {
        self.init(FormatPredicate(predicateFormat, arguments: .values(arguments)))
    }

    /// A predicate from a format and an array of its arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: What stands for the placeholders, in order.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(FormatPredicate(predicateFormat, arguments: .values(arguments ?? [])))
    }

    /// A predicate from a format and a C argument list.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - argList: The arguments. C's rules hold: each has to be of the type that its placeholder
    ///     names, objects for `%@`.
    public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self.init(FormatPredicate(predicateFormat, arguments: .list(argList)))
    }

    /// A predicate from one of Swift's, made with `#Predicate`.
    ///
    /// It is evaluated on objects, one by one, as a block would be. An object for which it throws does
    /// not match.
    public convenience init<Input: NSObject>(_ predicate: Predicate<Input>) {
        self.init { object, _ in
            guard let object = object as? Input else { return false }
            return (try? predicate.evaluate(object)) ?? false
        }
    }

    private convenience init(_ predicate: FormatPredicate) {
        self.init { object, bindings in predicate.answer(object, bindings) }
    }
}
