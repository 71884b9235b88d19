import Foundation
import Photos
import PhotosManagement
import Testing

/// The open format of edits: everything is restored, and unreadable data are rejected.
@Suite(.timeLimit(.minutes(2))) struct PhotoAdjustmentsTests {
    /// Every value differs from the neutral one.
    private var all: PhotoAdjustments {
        var edit = PhotoAdjustments()
        edit.isAutoEnhanced = true
        edit.exposure = -4.5
        edit.brightness = 0.1
        edit.contrast = -0.2
        edit.saturation = 0.3
        edit.vibrance = -0.4
        edit.temperature = 0.5
        edit.tint = -0.6
        edit.highlights = 0.7
        edit.shadows = -0.8
        edit.effect = .noir
        edit.sharpness = 0.9
        edit.vignette = -1
        edit.isFlipped = true
        edit.quarterTurns = 3
        edit.straighten = -44.5
        edit.crop = PhotoAdjustments.UnitRect(x: 0.1, y: 0.2, width: 0.9, height: 0.8)
        return edit
    }

    private func members(_ edit: PhotoAdjustments) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: edit.data()) as? [String: Any])
    }

    /// Returns the error that reading adjustment data throws.
    private func refusal(
        _ text: String,
        format: String = PhotoAdjustments.formatIdentifier,
        version: String = PhotoAdjustments.formatVersion
    ) throws -> PHPhotosError {
        let data = PHAdjustmentData(
            formatIdentifier: format,
            formatVersion: version,
            data: Data(text.utf8)
        )
        let error = #expect(throws: PHPhotosError.self) { _ = try PhotoAdjustments(data) }
        return try #require(error)
    }

    @Test func allComesBack() throws {
        let data = try all.adjustmentData()
        #expect(data.formatIdentifier == "org.swift-photos.adjustments")
        #expect(data.formatVersion == "1.0")
        #expect(PhotoAdjustments.canRead(data))
        #expect(try PhotoAdjustments(data) == all)
        // The stored form contains every property.
        #expect(try members(all).count == Mirror(reflecting: all).children.count)
        #expect(try members(all)["effect"] as? String == "noir")
        #expect(try PhotoAdjustments().data() == Data("{}".utf8))
        #expect(try PhotoAdjustments(data: Data("{}".utf8)).isIdentity)
        for effect in PhotoAdjustments.Effect.allCases {
            var edit = PhotoAdjustments()
            edit.effect = effect
            #expect(try PhotoAdjustments(data: edit.data()) == edit)
        }
    }

    @Test func otherFormatsAndVersionsAreRefused() throws {
        let version = try refusal("{}", version: "2.0")
        #expect(version.code == .invalidResource)
        #expect(version.localizedDescription == "The adjustments have another format.")
        let reason = try #require(version.failureReason)
        #expect(reason.contains("org.swift-photos.adjustments 2.0"))
        #expect(reason.contains("not org.swift-photos.adjustments 1.0."))
        #expect(version.recoverySuggestion?.contains("revert") == true)
        let format = try refusal("{}", format: "com.example.editor")
        #expect(format.failureReason?.contains("com.example.editor 1.0") == true)
    }

    @Test(arguments: [
        (#"{"glow":1}"#, "There is no adjustment “glow”."),
        (#"{"exposure":6}"#, "exposure is 6.0, but must be from -5 to 5."),
        (#"{"quarterTurns":4}"#, "quarterTurns is 4, but must be from 0 to 3."),
        (#"{"exposure":"much"}"#, "exposure has the wrong type."),
        (#"{"crop":{"x":0,"y":0,"width":1}}"#, "height is missing."),
        (#"{"crop":{"x":0.5,"y":0,"width":0.6,"height":1}}"#, "not a part of the image"),
        (#"{"effect":"sepia"}"#, "effect has an unknown value."),
        ("[]", "wrong type"),
        ("{", "They are not a JSON object."),
        ("", "They are not a JSON object."),
    ])
    func damageIsNamed(text: String, reason: String) throws {
        let error = try refusal(text)
        #expect(error.code == .invalidResource)
        #expect(error.failureReason?.contains(reason) == true, "\(error)")
    }

    @Test func whatIsOutOfItsRangeIsNotSaved() {
        for value in [5.1, -5.1, .nan, .infinity] {
            var edit = PhotoAdjustments()
            edit.exposure = value
            #expect(throws: PHPhotosError.self) { _ = try edit.adjustmentData() }
        }
        var edit = PhotoAdjustments()
        edit.crop = PhotoAdjustments.UnitRect(x: 0, y: 0, width: 0, height: 1)
        #expect(throws: PHPhotosError.self) { _ = try edit.data() }
    }
}
