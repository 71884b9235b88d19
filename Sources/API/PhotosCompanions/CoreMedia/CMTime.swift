/// The units of a time.
public typealias CMTimeValue = Int64

/// Units per second.
public typealias CMTimeScale = Int32

/// Which of several unrelated timelines a time is on; 0 for durations, and where there is only one.
public typealias CMTimeEpoch = Int64

/// The largest number of units per second to which arithmetic goes.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// A time or a duration as a fraction: so many units of which there are ``timescale`` in a second.
///
/// Besides numbers there are an invalid time, an indefinite one and both infinities. Arithmetic is exact
/// as long as a 32-bit timescale allows; where it had to round, the result and whatever is made of it
/// say so in ``hasBeenRounded``.
///
/// Equality and order are those of the instants: 1/2 is 300/600. Later epochs come after earlier ones;
/// the order of what is no number is: negative infinity, all numbers, indefinite, positive infinity,
/// invalid.
public struct CMTime: Sendable {
    /// The units.
    public var value: CMTimeValue
    /// Units per second.
    public var timescale: CMTimeScale
    /// What kind of time it is.
    public var flags: CMTimeFlags
    /// The timeline.
    public var epoch: CMTimeEpoch

    /// An invalid time.
    public init() {
        self.init(value: 0, timescale: 0, flags: [], epoch: 0)
    }

    /// A time with all its parts as given.
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

    /// A time of so many units; invalid when `timescale` is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// A time near a number of seconds.
    ///
    /// Invalid when `preferredTimescale` is not positive or the seconds are no number. The timescale is
    /// halved until the units fit; where they do not even as whole seconds, the time is infinite.
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

    /// No time at all.
    public static let invalid = CMTime()
    /// A time that is not known, such as the duration of a live stream.
    public static let indefinite = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .indefinite],
        epoch: 0
    )
    /// After all others.
    public static let positiveInfinity = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .positiveInfinity],
        epoch: 0
    )
    /// Before all others.
    public static let negativeInfinity = CMTime(
        value: 0,
        timescale: 0,
        flags: [.valid, .negativeInfinity],
        epoch: 0
    )
    /// Nothing, of one unit a second.
    public static let zero = CMTime(value: 0, timescale: 1)

    // MARK: - Facts

    /// Whether it is a time at all, though maybe an infinite or an indefinite one.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether it comes after all others.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether it comes before all others.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether it is not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether it is a number.
    public var isNumeric: Bool {
        isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0
    }
    /// Whether it is a number that is not exactly what was asked for.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The time in seconds: not a number where it is invalid or indefinite.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        if isPositiveInfinity { return .infinity }
        return isNegativeInfinity ? -.infinity : .nan
    }
}

/// What kind of time a `CMTime` is.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits, as Core Media numbers them.
    public let rawValue: UInt32

    /// Flags by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It is a time.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// It is not exactly what was asked for.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// It comes after all others.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// It comes before all others.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// It is not known.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// Those of times that are no numbers.
    public static let impliedValueFlagsMask: CMTimeFlags = [
        .positiveInfinity, .negativeInfinity, .indefinite,
    ]
}

extension CMTime: CustomStringConvertible {
    /// Units, scale and seconds, for a person.
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
