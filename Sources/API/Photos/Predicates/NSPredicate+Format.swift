public import Foundation

/// A protocol that provides the format-based initializers of `NSPredicate`.
///
/// Only `NSPredicate` conforms. Foundation on Linux declares these initializers as unavailable. The
/// protocol's initializers take precedence over them, even if the client imports Foundation itself.
public protocol PredicateFormatInitializable {}

extension NSPredicate: PredicateFormatInitializable {}

extension PredicateFormatInitializable {
    // Unlike an initializer in an extension of the class, a protocol's initializer can return a
    // subclass.

    /// Creates a predicate from a format, such as `mediaType == %d AND creationDate > %@`.
    ///
    /// An invalid format does not stop the program. The fetch that uses the predicate logs the
    /// error with its position, and returns an empty result. Predicates with equal formats and
    /// arguments are equal, and their description is the format.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: The values for `%@`, `%K`, `%d` and so on. They are numbers of any type,
    ///     strings, dates, objects of the library, or arrays and sets of these.
    public init(format predicateFormat: String, _ arguments: Any?...) {
        self.init(FormattedPredicate(predicateFormat, arguments: .values(arguments)))
    }

    /// Creates a predicate from a format and an array of arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - arguments: The values for the placeholders, in order.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(FormattedPredicate(predicateFormat, arguments: .values(arguments ?? [])))
    }

    /// Creates a predicate from a format and a C argument list.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format, in Foundation's predicate language.
    ///   - argList: The arguments. As in C, each must have the type that its placeholder specifies,
    ///     and `%@` requires an object.
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
    /// Creates a predicate from a Swift predicate made with `#Predicate`.
    ///
    /// Like a block, it is evaluated for one object at a time. An object for which it throws an
    /// error does not match.
    public convenience init<Input: NSObject>(_ predicate: Predicate<Input>) {
        self.init { object, _ in
            guard let object = object as? Input else { return false }
            return (try? predicate.evaluate(object)) ?? false
        }
    }
}
