import Foundation

/// The result of a request, compared with the reference.
struct ConformanceResult: Sendable {
    enum Verdict: Sendable, Equatable {
        case same
        /// A known deviation.
        case deviates(String)
        case fails(String)
        /// Listed as a deviation, but equal to the reference.
        case passesAgain(String)
    }

    /// The pictures of a mismatch, as files in the run's folder.
    struct Pictures: Sendable {
        var ours: String
        var reference: String
        var difference: String
    }

    var name: String
    var variant: Variant
    var size: Area?
    var difference: PictureDifference?
    var verdict: Verdict
    var pictures: Pictures?

    var isWrong: Bool {
        switch verdict {
        case .same, .deviates: false
        case .fails, .passesAgain: true
        }
    }

    /// The allowed difference between results and the reference.
    ///
    /// A wrong rotation has a mean of 20 and more. Renditions are JPEGs of quality 85, which alone
    /// causes 4 to 5 in areas with much texture, and 31 dB.
    struct Tolerance: Sendable {
        /// The mean difference, of 255.
        var mean: Double
        /// In decibels.
        var signalToNoise: Double
        /// The mean difference of alpha, of 255.
        var alpha: Double

        /// For pixels that are not scaled.
        static let pixels = Tolerance(mean: 2, signalToNoise: 34, alpha: 1)
        static let scaled = Tolerance(mean: 12, signalToNoise: 20, alpha: 4)
        /// FFmpeg's own conversion to RGB rounds more coarsely, and assumes BT.601 if none is
        /// declared.
        static let movie = Tolerance(mean: 12, signalToNoise: 20, alpha: 2)
        /// Kernels differ most if a picture has fewer pixels than the result.
        static let enlarged = Tolerance(mean: 12, signalToNoise: 20, alpha: 6)

        func accepts(_ difference: PictureDifference) -> Bool {
            difference.mean <= mean && difference.signalToNoise >= signalToNoise
                && difference.alpha <= alpha
        }
    }
}
