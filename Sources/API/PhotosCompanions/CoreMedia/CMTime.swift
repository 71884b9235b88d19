/// The numerator of a time.
public typealias CMTimeValue = Int64

/// The number of units per second.
public typealias CMTimeScale = Int32

/// The identifier of a time's timeline; 0 for a duration, or if there is only one timeline.
public typealias CMTimeEpoch = Int64

/// The largest timescale that arithmetic produces.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// A time or duration as a rational number: ``value`` divided by ``timescale``, in seconds.
///
/// Besides numeric times, there are an invalid time, an indefinite one and both infinities.
/// Arithmetic is exact as long as a 32-bit timescale allows. A rounded result, and every result
/// computed from it, has ``hasBeenRounded`` set.
///
/// Equality and order compare instants: 1/2 equals 300/600. Later epochs follow earlier ones. The
/// overall order is negative infinity, numeric times, indefinite, positive infinity, invalid.
public struct CMTime: Sendable {
    /// The number of units.
    public var value: CMTimeValue
    /// The number of units per second.
    public var timescale: CMTimeScale
    /// The flags that describe the kind of time.
    public var flags: CMTimeFlags
    /// The timeline that the time belongs to.
    public var epoch: CMTimeEpoch

    /// Creates an invalid time.
    public init() {
        self.init(value: 0, timescale: 0, flags: [], epoch: 0)
    }

    /// Creates a time from its fields, without checking them.
    public init(
        value: CMTimeValue,
        timescale: CMTimeScale,
        flags: CMTimeFlags,
        epoch: CMTimeEpoch
    ) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Creates a time from a value and a timescale; invalid if `timescale` is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Creates a time from a number of seconds, rounded to the timescale.
    ///
    /// The time is invalid if `preferredTimescale` is not positive or `seconds` is NaN. The
    /// timescale is halved until the value fits. If the value does not fit even in whole seconds,
    /// the time is infinite.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self.init()
            return
        }
        guard seconds.isFinite else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        var scale = preferredTimescale
        while true {
            let units = (seconds * Double(scale)).rounded(.toNearestOrAwayFromZero)
            if let value = Int64(exactly: units) {
                self.init(value: value, timescale: scale)
                if Double(value) / Double(scale) != seconds { flags.insert(.hasBeenRounded) }
                return
            }
            guard scale > 1 else {
                self = seconds > 0 ? .positiveInfinity : .negativeInfinity
                return
            }
            scale /= 2
        }
    }

    // MARK: - Constants

    /// The invalid time.
    public static let invalid = CMTime()
    /// An unknown time, such as the duration of a live stream.
    public static let indefinite = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .indefinite],
        epoch: 0
    )
    /// Positive infinity.
    public static let positiveInfinity = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .positiveInfinity],
        epoch: 0
    )
    /// Negative infinity.
    public static let negativeInfinity = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .negativeInfinity],
        epoch: 0
    )
    /// Zero, with a timescale of 1.
    public static let zero = CMTime(value: 0, timescale: 1)

    // MARK: - Properties

    /// A Boolean value that indicates whether the time is valid, which includes infinite and
    /// indefinite times.
    public var isValid: Bool { flags.contains(.valid) }
    /// A Boolean value that indicates whether the time is positive infinity.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// A Boolean value that indicates whether the time is negative infinity.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// A Boolean value that indicates whether the time is indefinite.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// A Boolean value that indicates whether the time is numeric.
    public var isNumeric: Bool {
        isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0
    }
    /// A Boolean value that indicates whether the time is numeric and has been rounded.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The time in seconds; NaN for the invalid and the indefinite time.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        if isPositiveInfinity { return .infinity }
        return isNegativeInfinity ? -.infinity : .nan
    }
}

/// The flags that describe the kind of a `CMTime`.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits, with Core Media's values.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// The time has been rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is positive infinity.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is negative infinity.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is indefinite.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The flags that mark a time as not numeric.
    public static let impliedValueFlagsMask: CMTimeFlags = [
        .positiveInfinity, .negativeInfinity, .indefinite,
    ]
}

extension CMTime: CustomStringConvertible {
    /// A debug description with value, timescale and seconds.
    public var description: String {
        if isNumeric {
            let rounded = hasBeenRounded ? ", rounded" : ""
            return "{\(value)/\(timescale) = \(seconds)\(rounded)}"
        }
        if isPositiveInfinity { return "{+INFINITY}" }
        if isNegativeInfinity { return "{-INFINITY}" }
        return isIndefinite ? "{INDEFINITE}" : "{INVALID}"
    }
}
