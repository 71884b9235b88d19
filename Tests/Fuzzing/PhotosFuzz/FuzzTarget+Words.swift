import Foundation
import Media
@testable import Photos
import PhotosManagement

/// Texts that people and programs write.
extension FuzzTarget {
    static let words: [FuzzTarget] = [
        FuzzTarget("predicate", "formats of predicates", seeds: predicates) { bytes in
            guard let form = normalForm(of: bytes.text) else { return }
            // The normal form is a format with the same meaning, hence with the same normal form.
            // It has more parentheses, so it alone may exceed the limit of nesting.
            let again = normalForm(of: form)
            if again == nil, isTooDeep(form) { return }
            precondition(again == form, "“\(form)” becomes “\(again ?? "an error")”")
        },
        FuzzTarget("recipe", "stored adjustments of a photo", seeds: recipes) { bytes in
            guard
                let recipe = try? JSONDecoder().decode(
                    PhotoAdjustments.self,
                    from: Data(bytes.bytes)
                )
            else { return }
            let again = (try? JSONEncoder().encode(recipe)).flatMap {
                try? JSONDecoder().decode(PhotoAdjustments.self, from: $0)
            }
            precondition(again == recipe, "\(recipe) changes when it is encoded")
        },
    ]

    /// Returns a format in Foundation's notation; nil if it is not valid.
    static func normalForm(of format: String) -> String? {
        guard let predicate = NSPredicate(format: format) as? FormattedPredicate,
            (try? predicate.outcome.get()) != nil
        else { return nil }
        return predicate.description
    }

    private static func isTooDeep(_ format: String) -> Bool {
        guard let predicate = NSPredicate(format: format) as? FormattedPredicate,
            case .failure(let error) = predicate.outcome
        else { return false }
        return String(describing: error).contains("nested more than")
    }

    @Sendable private static func predicates() throws -> [Data] {
        [
            "mediaType == 1 AND creationDate > CAST(\"2024-01-01T00:00:00Z\", \"NSDate\")",
            "NOT (isFavorite = YES OR title BEGINSWITH[cd] 'a\\'b') && pixelWidth BETWEEN {100, 0x200}",
            "ANY keywords LIKE[c] \"*sea?\" AND duration >= 1.5e2", "(mediaSubtypes & 8) != 0",
            "localIdentifier IN {'A', \"B\"}", "SUBQUERY(places, $x, $x.name = 'Rome').@count > 0",
            "burstIdentifier != nil", "%K = %@", "TRUEPREDICATE", "latitude MATCHES '^[0-9]+$'",
        ].map { Data($0.utf8) }
    }

    @Sendable private static func recipes() throws -> [Data] {
        [
            #"{"exposure":0.5,"crop":{"x":0.1,"y":0.1,"width":0.5,"height":0.5},"quarterTurns":1}"#,
            #"{"effect":"noir","isAutoEnhanced":true,"straighten":-3.5,"vignette":1e-3}"#, "{}",
        ].map { Data($0.utf8) }
    }
}
