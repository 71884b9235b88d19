public import Foundation

/// Makes predicates from formats.
///
/// `NSPredicate` is the one type that conforms. Foundation on Linux declares these initializers and marks
/// them as unavailable; those of the protocol win over them, also where the client imports Foundation
/// itself.
public protocol PredicateFormatInitializable {}

extension NSPredicate: PredicateFormatInitializable {}

extension PredicateFormatInitializable {
    // A protocol's initializer, unlike one of an extension of the class, can return a subclass.

    /// Makes a predicate from a format, such as `mediaType == %d AND creationDate > %@`.
    ///
    /// A format that cannot be read does not stop the program: the fetch that uses the predicate logs
    /// what is wrong, with its position, and is empty. Predicates of one format and one list of arguments
    /// are equal, and print the format.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: What stands for `%@`, `%K`, `%d` and so on. Numbers of any type, texts, dates,
    ///     objects of the library, and arrays and sets of these.
    public init(format predicateFormat: String, _ arguments: Any?...) {
        self.init(FormattedPredicate(predicateFormat, arguments: .values(arguments)))
    }

    /// Makes a predicate from a format and an array of its arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: What stands for the placeholders, in order.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(FormattedPredicate(predicateFormat, arguments: .values(arguments ?? [])))
    }

    /// Makes a predicate from a format and a C argument list.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - argList: The arguments. C's rules hold: each has to be of the type that its placeholder
    ///     names, objects for `%@`.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self.init(FormattedPredicate(predicateFormat, arguments: .list(argList)))
    }

    private init(_ predicate: FormattedPredicate) {
        guard let predicate = predicate as? Self else {
            preconditionFailure(
                "\(Self.self)(format:): a subclass of NSPredicate cannot be made from a format;"
                    + " use NSPredicate(format:)"
            )
        }
        self = predicate
    }
}

extension NSPredicate {
    /// Makes a predicate from one of Swift's, made with `#Predicate`.
    ///
    /// It is evaluated on objects, one by one, as a block would be. An object for which it throws does
    /// not match.
    public convenience init<Input: NSObject>(_ predicate: Predicate<Input>) {
        self.init { object, _ in
            guard let object = object as? Input else { return false }
            return (try? predicate.evaluate(object)) ?? false
        }
    }
}
