import Foundation
import PhotoModel
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PHPhotosErrorMappingTests {
    static let rows: [(LibraryError.Code, Int)] = [
        (.libraryMissing, 3114), (.volumeMissing, 3114), (.notALibrary, -1), (.alreadyExists, -1),
        (.newerFormat, -1), (.corrupt, -1), (.noPermission, 3310), (.accessDenied, 3311),
        (.accessRestricted, 3310), (.readOnly, 3300),
        (.unsupportedFileSystem, 5423), (.busy, 3301), (.noSpace, 3305), (.inputOutput, -1),
        (.tooManyOpenFiles, -1),
        (.unsupportedPredicate, 3306), (.unsupportedSortKey, 3306), (.malformedPredicate, 3306),
        (.identifierNotFound, 3201), (.missingResource, 3303), (.invalidResource, 3302),
        (.workerUnavailable, -1), (.cancelled, 3072), (.tokenUnknown, -1), (.invalidRequest, -1),
        (.internalError, -1),
        (.historyExpired, 3105), (.changeNotSupported, 3300),
        (.notSupportedForAsset, 3306), (.connectionLost, 3301), (.networkAccessRequired, 3164),
        (.networkError, 3169),
    ]

    @Test(arguments: rows) func everyFailureHasACode(_ row: (LibraryError.Code, Int)) {
        #expect(PHPhotosError(LibraryError(row.0, "It failed.")).errorCode == row.1)
    }

    @Test func everyFailureHasARow() {
        #expect(Set(Self.rows.map(\.0)) == Set(LibraryError.Code.allCases))
    }

    @Test func everythingTheEngineSaidIsThere() {
        let failure = LibraryError(
            .missingResource,
            "The file is missing.",
            reason: "Somebody removed it.",
            recovery: "Restore it.",
            path: "/library/originals/a",
            identifiers: ["A/L0/001"]
        )
        let error = PHPhotosError(failure)
        #expect(error.code == .missingResource)
        #expect(error.localizedDescription == "The file is missing.")
        #expect(error.failureReason == "Somebody removed it.")
        #expect(error.recoverySuggestion == "Restore it.")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == "/library/originals/a")
        #expect(error.userInfo[PHLocalIdentifiersErrorKey] as? [String] == ["A/L0/001"])
        #expect(error.userInfo[NSUnderlyingErrorKey] as? LibraryError == failure)
        #expect(error.libraryError == failure)
    }

    @Test func whatTheEngineDidNotSayIsTheUsual() {
        let error = PHPhotosError(LibraryError(.busy, "The library is busy."))
        let usual = PHPhotosError(.operationInterrupted)
        #expect(error.failureReason == usual.failureReason)
        #expect(error.recoverySuggestion == usual.recoverySuggestion)
        #expect(
            error.description == "PHPhotosError.operationInterrupted (3301): The library is busy."
        )
        #expect(error.userInfo[PHLocalIdentifiersErrorKey] == nil)
        #expect(error.userInfo[NSFilePathErrorKey] == nil)
    }
}
