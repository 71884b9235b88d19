import ArgumentParser
import Foundation
import PhotosManagement

/// The value of `--filter`: one of the eight photo effects, or `none`.
enum EffectArgument: ExpressibleByArgument {
    case none
    case effect(PhotoAdjustments.Effect)

    init?(argument: String) {
        let name = argument.lowercased()
        if name == "none" {
            self = .none
        } else if let effect = PhotoAdjustments.Effect(rawValue: name) {
            self = .effect(effect)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] {
        PhotoAdjustments.Effect.allCases.map(\.rawValue.capitalized) + ["none"]
    }
}

/// The value of `--crop`: a part of the rotated image, or `none` for the whole image.
enum CropArgument: ExpressibleByArgument {
    case none
    case part(PhotoAdjustments.UnitRect)

    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else if let part = PictureCrop(argument: argument)?.rectangle {
            self = .part(
                PhotoAdjustments.UnitRect(
                    x: part.minX,
                    y: part.minY,
                    width: min(part.width, 1 - part.minX),
                    height: min(part.height, 1 - part.minY)
                )
            )
        } else {
            return nil
        }
    }
}

/// The command-line options for the adjustments of a photo.
struct AdjustmentOptions: ParsableArguments {
    @Option(
        help: "A photo effect: Chrome, Fade, Instant, Mono, Noir, Process, Tonal, Transfer or none."
    )
    var filter: EffectArgument?

    @Option(
        help: ArgumentHelp("Adjust light and color automatically.", valueName: "true|false")
    )
    var auto: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Exposure in stops, -5 to 5.", valueName: "n")
    )
    var exposure: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Brightness, -1 to 1.", valueName: "n")
    )
    var brightness: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Contrast, -1 to 1.", valueName: "n")
    )
    var contrast: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Saturation, -1 (gray) to 1.", valueName: "n")
    )
    var saturation: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Saturation that protects skin tones, -1 to 1.", valueName: "n")
    )
    var vibrance: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Color temperature, -1 (cooler) to 1 (warmer).", valueName: "n")
    )
    var temperature: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Tint, -1 (green) to 1 (magenta).", valueName: "n")
    )
    var tint: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Highlights, -1 (darker) to 1 (brighter).", valueName: "n")
    )
    var highlights: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Shadows, -1 (darker) to 1 (brighter).", valueName: "n")
    )
    var shadows: Double?

    @Option(help: ArgumentHelp("Sharpness, 0 to 1.", valueName: "n"))
    var sharpness: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Vignette, -1 (brighter corners) to 1 (darker).", valueName: "n")
    )
    var vignette: Double?

    @Option(
        help: ArgumentHelp("Whether the photo is flipped horizontally.", valueName: "true|false")
    )
    var flip: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Degrees clockwise from the present rotation: 90, 180, 270 or -90.",
            valueName: "degrees"
        )
    )
    var rotate: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Straighten by degrees clockwise, -45 to 45.", valueName: "degrees")
    )
    var straighten: Double?

    @Option(
        help: ArgumentHelp(
            """
            The part of the rotated photo to keep, from its upper left corner, such as \
            0.1,0.1,0.8,0.8; none for all of it.
            """,
            valueName: "x,y,w,h"
        )
    )
    var crop: CropArgument?

    func validate() throws {
        if let rotate, rotate % 90 != 0 || abs(rotate) > 360 {
            throw ValidationError("--rotate must be a multiple of 90: 90, 180, 270 or -90.")
        }
        var trial = PhotoAdjustments()
        apply(to: &trial)
        do { _ = try trial.data() } catch {
            throw ValidationError(LibraryFailure(error).reason ?? "A value is out of range.")
        }
    }

    /// `true` if no adjustment was given.
    var isEmpty: Bool {
        filter == nil && auto == nil && flip == nil && rotate == nil && straighten == nil
            && crop == nil && numbers.allSatisfy { $0.0 == nil }
    }

    private var numbers: [(Double?, WritableKeyPath<PhotoAdjustments, Double>)] {
        [
            (exposure, \.exposure), (brightness, \.brightness), (contrast, \.contrast),
            (saturation, \.saturation), (vibrance, \.vibrance), (temperature, \.temperature),
            (tint, \.tint), (highlights, \.highlights), (shadows, \.shadows),
            (sharpness, \.sharpness), (vignette, \.vignette), (straighten, \.straighten),
        ]
    }

    /// Sets the given adjustments and leaves the others unchanged.
    func apply(to adjustments: inout PhotoAdjustments) {
        for (number, value) in numbers {
            if let number { adjustments[keyPath: value] = number }
        }
        switch filter {
        case nil: break
        case .none?: adjustments.effect = nil
        case .effect(let effect)?: adjustments.effect = effect
        }
        if let auto { adjustments.isAutoEnhanced = auto }
        if let flip { adjustments.isFlipped = flip }
        if let rotate {
            let turns = adjustments.quarterTurns + rotate / 90
            adjustments.quarterTurns = ((turns % 4) + 4) % 4
        }
        switch crop {
        case nil: break
        case .none?: adjustments.crop = nil
        case .part(let part)?: adjustments.crop = part
        }
    }
}
