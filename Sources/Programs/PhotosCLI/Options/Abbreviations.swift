import ArgumentParser
import Foundation
import Photos

/// Resolves abbreviated identifiers: prefixes that match exactly one object.
enum Abbreviations {
    /// The minimum length of an abbreviation, in characters.
    static let minimum = 8
    /// The maximum number of abbreviations that are resolved per fetch.
    private static let portion = 200
    /// The maximum number of objects that a message lists.
    private static let shown = 10

    /// Indicates whether a text can be an abbreviated identifier.
    ///
    /// It consists of hexadecimal digits, with hyphens where a UUID has them. It has at least
    /// ``minimum`` characters, and is shorter than a complete UUID.
    static func isAbbreviation(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        guard (minimum..<36).contains(characters.count) else { return false }
        return characters.enumerated().allSatisfy { index, character in
            [8, 13, 18, 23].contains(index)
                ? character == UInt8(ascii: "-")
                : Character(UnicodeScalar(character)).isHexDigit
        }
    }

    /// Resolves abbreviations to identifiers.
    ///
    /// - Parameters:
    ///   - texts: Identifiers and abbreviations, in upper case.
    ///   - noun: The name of the objects in messages, in the singular.
    ///   - find: Returns the identifiers of the objects that match a predicate.
    /// - Returns: The identifiers by abbreviation, without abbreviations that match no object.
    /// - Throws: A usage error that lists the objects when an abbreviation matches several.
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

    /// Throws an error if any identifier is abbreviated.
    ///
    /// Commands call it that cannot be undone or that do not ask for confirmation.
    ///
    /// - Throws: A usage error that names the abbreviations.
    static func refuse(in identifiers: [String], because reason: String) throws {
        let short = identifiers.filter { isAbbreviation($0.uppercased()) }
        guard !short.isEmpty else { return }
        let names = short.prefix(shown).map(TerminalStyle.safe).joined(separator: ", ")
        throw ValidationError("\(reason) requires complete identifiers: \(names).")
    }

    private static func ambiguous(
        _ text: String,
        _ matches: [String],
        _ noun: String
    ) -> ValidationError {
        let more = matches.count > shown ? " and \(matches.count - shown) more" : ""
        return ValidationError(
            "\(text) is ambiguous: it matches \(Wording.count(matches.count, noun)),"
                + " \(matches.prefix(shown).joined(separator: ", "))\(more)."
                + " Give more characters."
        )
    }
}
