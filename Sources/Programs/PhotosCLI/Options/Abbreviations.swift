import ArgumentParser
import Foundation
import Photos

/// Beginnings of identifiers, which stand for the one object whose identifier begins so.
enum Abbreviations {
    /// How many characters an abbreviation has at least.
    static let minimum = 8
    /// How many abbreviations one statement looks for.
    private static let portion = 200
    /// How many objects a message lists.
    private static let shown = 10

    /// Whether a text can be the beginning of an identifier: hexadecimal digits and hyphens where a
    /// UUID has them, at least ``minimum`` characters and fewer than a whole one has.
    static func isAbbreviation(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        guard (minimum..<36).contains(characters.count) else { return false }
        return characters.enumerated().allSatisfy { index, character in
            [8, 13, 18, 23].contains(index)
                ? character == UInt8(ascii: "-")
                : Character(UnicodeScalar(character)).isHexDigit
        }
    }

    /// The identifiers that abbreviations stand for.
    ///
    /// - Parameters:
    ///   - texts: Identifiers and abbreviations, in upper case.
    ///   - noun: Names the objects, in the singular.
    ///   - find: Returns the identifiers of objects for which a predicate holds.
    /// - Returns: By abbreviation; without those that fit no object.
    /// - Throws: A usage error that lists the objects when an abbreviation fits several.
    static func resolved(
        _ texts: [String],
        noun: String,
        find: (NSPredicate) throws -> [String]
    ) throws -> [String: String] {
        let abbreviations = Array(Set(texts.filter(isAbbreviation))).sorted()
        var found: [String: String] = [:]
        for start in stride(from: 0, to: abbreviations.count, by: portion) {
            let part = abbreviations[start..<min(start + portion, abbreviations.count)]
            let predicates = part.map { NSPredicate(format: "localIdentifier BEGINSWITH %@", $0) }
            let identifiers = try find(
                NSCompoundPredicate(orPredicateWithSubpredicates: predicates)
            ).sorted()
            for text in part {
                let matches = identifiers.filter { $0.hasPrefix(text) }
                guard matches.count < 2 else { throw ambiguous(text, matches, noun) }
                found[text] = matches.first
            }
        }
        return found
    }

    /// Refuses abbreviations where a mistake could not be undone.
    ///
    /// - Throws: A usage error that names them.
    static func refuse(in identifiers: [String], because reason: String) throws {
        let short = identifiers.filter { isAbbreviation($0.uppercased()) }
        guard !short.isEmpty else { return }
        let names = short.prefix(shown).map(TerminalStyle.safe).joined(separator: ", ")
        throw ValidationError("\(reason) needs whole identifiers, not abbreviations: \(names).")
    }

    private static func ambiguous(
        _ text: String,
        _ matches: [String],
        _ noun: String
    ) -> ValidationError {
        let more = matches.count > shown ? " and \(matches.count - shown) more" : ""
        return ValidationError(
            "\(text) is the beginning of several identifiers: \(Wording.count(matches.count, noun))"
                + " begin so: \(matches.prefix(shown).joined(separator: ", "))\(more)."
                + " Give more characters."
        )
    }
}
