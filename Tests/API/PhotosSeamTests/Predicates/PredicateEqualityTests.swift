import Foundation
import LibraryService
import Photos
import Testing

/// Equivalent formats yield equal predicates, and print the same text.
@Suite(.timeLimit(.minutes(2))) struct PredicateEqualityTests {
    @Test(arguments: [
        ("mediaType == 1", "mediaType == 1"), ("mediaType=1", "mediaType == 1"),
        ("(a <> 'x') && !(b =< 2)", "a != \"x\" AND NOT b <= 2"),
        ("a = 1 OR b = 2 AND c = 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("NOT (a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
        ("(mediaSubtypes & 8) != 0", "mediaSubtypes & 8 != 0"),
        ("title ==[dc] 'é\"s'", "title ==[cd] \"é\\\"s\""), ("truepredicate", "TRUEPREDICATE"),
        ("a IN (1, 2.5, -3)", "a IN {1, 2.5, -3}"), ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
        ("isFavorite = true", "isFavorite == YES"), ("duration == NULL", "duration == nil"),
        ("(a + 1) * 2 > -b", "(a + 1) * 2 > -b"), ("SELF.title LIKE 'a*'", "title LIKE \"a*\""),
    ])
    func formatsArePrintedInOneSpelling(_ written: String, _ printed: String) throws {
        let predicate = NSPredicate(format: written)
        #expect("\(predicate)" == printed)
        // The printed format parses to the same predicate.
        let again = NSPredicate(format: "\(predicate)")
        #expect("\(again)" == printed)
        #expect(again == predicate && again.hash == predicate.hash)
    }

    @Test func argumentsCount() {
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        func predicate(_ type: Int, _ date: Date) -> NSPredicate {
            NSPredicate(format: "mediaType == %d AND creationDate > %@", type, date as NSDate)
        }
        #expect(predicate(1, date) == predicate(1, date))
        #expect(predicate(1, date) != predicate(2, date))
        #expect(predicate(1, date) != predicate(1, date + 1))
        let text = "mediaType == 1 AND creationDate > CAST(0.1, \"NSDate\")"
        #expect("\(predicate(1, date))" == text)
        #expect(NSPredicate(format: text) == predicate(1, date))
        #expect(Set([predicate(1, date), predicate(1, date)]).count == 1)
        #expect(NSPredicate(format: "%K == 1", "a") == NSPredicate(format: "a = %ld", 1))
    }

    @Test func otherPredicatesAreNoFormats() {
        let block = NSPredicate { _, _ in true }
        #expect(NSPredicate(format: "a == 1") != block)
        #expect(NSPredicate(format: "a == 1") != NSPredicate(value: true))
        #expect(NSPredicate(value: true) != NSPredicate(format: "a == 1"))
        let broken = NSPredicate(format: "a === ")
        #expect("\(broken)" == "a === ")
        #expect(broken == NSPredicate(format: "a === ") && broken != NSPredicate(format: "a =="))
    }

    @Test func copiesAndCompoundsKeepTheFormat() throws {
        let predicate = NSPredicate(format: "mediaType == 1")
        let copy = try #require(predicate.copy() as? NSPredicate)
        #expect(copy == predicate)
        let compound = NSCompoundPredicate(notPredicateWithSubpredicate: copy)
        #expect(try tree(compound) == .not(compare("mediaType", .equal, .integer(1))))
    }
}
