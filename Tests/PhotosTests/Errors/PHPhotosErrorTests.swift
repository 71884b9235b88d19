import Foundation
import Photos
import Testing

@Suite struct PHPhotosErrorTests {
    static let codes: [(PHPhotosError.Code, Int)] = [
        (.internalError, -1), (.userCancelled, 3072), (.persistentChangeTokenExpired, 3105),
        (.libraryVolumeOffline, 3114), (.relinquishingLibraryBundleToWriter, 3142),
        (.switchingSystemPhotoLibrary, 3143), (.networkAccessRequired, 3164), (.networkError, 3169),
        (.identifierNotFound, 3201), (.multipleIdentifiersFound, 3202),
        (.persistentChangeDetailsUnavailable, 3210), (.changeNotSupported, 3300),
        (.operationInterrupted, 3301), (.invalidResource, 3302), (.missingResource, 3303),
        (.notEnoughSpace, 3305), (.requestNotSupportedForAsset, 3306), (.limitExceeded, 3307),
        (.accessRestricted, 3310), (.accessUserDenied, 3311),
        (.libraryInFileProviderSyncRoot, 5423),
    ]

    @Test(arguments: codes) func codesKeepTheirNumbers(_ row: (PHPhotosError.Code, Int)) {
        let (code, number) = row
        #expect(code.rawValue == number)
        #expect(PHPhotosError.Code(rawValue: number) == code)
        let error = PHPhotosError(code)
        #expect(error.code == code && error.errorCode == number)
        #expect(!error.localizedDescription.isEmpty)
        // Pains 3: whoever made it, an error says why and what helps.
        #expect(error.failureReason?.hasSuffix(".") == true)
        #expect(error.recoverySuggestion?.hasSuffix(".") == true)
        let bridged = error as NSError
        #expect(bridged.localizedFailureReason == error.failureReason)
        #expect(bridged.localizedRecoverySuggestion == error.recoverySuggestion)
        #expect((error as any Error).localizedDescription == error.localizedDescription)
    }

    @Test func everyCodeIsThere() {
        #expect(Set(Self.codes.map(\.0)) == Set(PHPhotosError.Code.allCases))
        #expect(PHPhotosError.Code.invalid == .internalError)
        #expect(PHPhotosError.invalid == PHPhotosError.internalError)
    }

    @Test("223: errors match in catch, and as NSError keep domain, code and texts")
    func bridging() throws {
        let thrown: any Error = PHPhotosError(
            .userCancelled,
            userInfo: [
                NSLocalizedDescriptionKey: "Stopped.", NSLocalizedFailureReasonErrorKey: "Because.",
                NSLocalizedRecoverySuggestionErrorKey: "Try again.",
                PHLocalIdentifiersErrorKey: ["A"],
            ]
        )
        do {
            throw thrown
        } catch PHPhotosError.networkError {
            Issue.record("the wrong pattern matched")
        } catch PHPhotosError.userCancelled {
            // Expected.
        }
        let error = thrown as NSError
        #expect(error.domain == "PHPhotosErrorDomain" && error.domain == PHPhotosErrorDomain)
        #expect(PHPhotosError.errorDomain == PHPhotosErrorDomain)
        #expect(error.code == 3072)
        #expect(error.localizedDescription == "Stopped.")
        #expect(error.localizedFailureReason == "Because.")
        #expect(error.localizedRecoverySuggestion == "Try again.")
        #expect(error.userInfo[PHLocalIdentifiersErrorKey] as? [String] == ["A"])
        #expect(PHPhotosError.Code.userCancelled ~= (error as any Error))
        #expect(!(PHPhotosError.Code.userCancelled ~= CocoaError(.userCancelled)))
    }

    @Test func legacyNamesHaveTheirValues() {
        #expect(PHPhotosErrorInvalid == -1)
        #expect(PHPhotosErrorUserCancelled == 3072)
        #expect(PHPhotosErrorLibraryVolumeOffline == 3114)
        #expect(PHPhotosErrorRelinquishingLibraryBundleToWriter == 3142)
        #expect(PHPhotosErrorSwitchingSystemPhotoLibrary == 3143)
    }

    @Test func errorsCompareByCodeAndTexts() {
        #expect(PHPhotosError(.networkError) == PHPhotosError(.networkError))
        #expect(PHPhotosError(.networkError) != PHPhotosError(.internalError))
        #expect(Set([PHPhotosError(.networkError), PHPhotosError(.networkError)]).count == 1)
    }
}
