import Foundation
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PHPhotosErrorTests {
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
        // Pains 3: every error states the reason and a remedy, whatever its origin.
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

    @Test("223: an error casts to NSError wherever a program finds it, and back")
    func castsToNSError() throws {
        let error = PHPhotosError(
            .networkAccessRequired,
            userInfo: [PHLocalIdentifiersErrorKey: ["A"]]
        )
        let info: [AnyHashable: Any]? = [PHImageErrorKey: error]
        let found = try #require(info?[PHImageErrorKey] as? NSError)
        #expect(found.domain == PHPhotosErrorDomain && found.code == 3164)
        #expect(found.userInfo[PHLocalIdentifiersErrorKey] as? [String] == ["A"])
        #expect(found.localizedDescription == error.localizedDescription)
        // The value remains the same error.
        #expect(info?[PHImageErrorKey] as? PHPhotosError == error)
        #expect(info?[PHImageErrorKey] is any Error)
        let thrown: any Error = error
        #expect((thrown as Any as? NSError)?.code == 3164)
        #expect((error as NSError).code == 3164)
        #expect((found as? PHPhotosError)?.code == .networkAccessRequired)
        #expect((found as any Error as? PHPhotosError)?.userInfo.isEmpty == false)
        let foreign = NSError(domain: "other", code: 3164)
        #expect(foreign as? PHPhotosError == nil && foreign as Any as? PHPhotosError == nil)
        // Codes of later versions are kept.
        let later = NSError(domain: PHPhotosErrorDomain, code: 9_999)
        #expect((later as? PHPhotosError)?.errorCode == 9_999)
    }

    @Test func castsInPatterns() {
        func name(_ error: any Error) -> String {
            do {
                throw error
            } catch let error as PHPhotosError where error.code == .userCancelled {
                return "cancelled"
            } catch let error as NSError where error.domain == PHPhotosErrorDomain {
                return "\(error.code)"
            } catch {
                return "other"
            }
        }
        #expect(name(PHPhotosError(.userCancelled)) == "cancelled")
        #expect(name(NSError(domain: PHPhotosErrorDomain, code: 3072)) == "cancelled")
        #expect(name(PHPhotosError(.networkError)) == "3169")
        #expect(name(CocoaError(.fileNoSuchFile)) == "other")
        let movie = NSError(domain: AVFoundationErrorDomain, code: -11_828)
        #expect((movie as? AVError)?.code == .fileFormatNotRecognized)
        #expect(((movie as? AVError) as Any as? NSError)?.code == -11_828)
    }

    /// A common way to read a result, which only works if the cast does.
    @Test func usualHandlerAnswers() {
        var seen: Int?
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        PHImageManager.default().requestImage(
            for: PHAsset(),
            targetSize: CGSize(width: 10, height: 10),
            contentMode: .aspectFit,
            options: options
        ) { image, info in
            if let error = info?[PHImageErrorKey] as? NSError {
                seen = error.code
            } else if image != nil {
                seen = 0
            }
        }
        #expect(seen == PHPhotosError.Code.internalError.rawValue)
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
