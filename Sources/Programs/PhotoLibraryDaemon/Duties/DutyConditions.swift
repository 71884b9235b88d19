internal import Foundation
internal import Synchronization

/// The conditions under which background work pauses.
///
/// The state of the battery and of the disk is read at most once a second.
final class DutyConditions: Sendable {
    /// A reason to pause background work.
    enum Obstacle: Sendable {
        /// The machine runs on a battery with a charge below 30 %.
        case battery
        /// Processes waited for disk I/O for more than 20 % of the last 10 seconds.
        case pressure
        /// Client calls are waiting for a free thread.
        case calls
    }

    private static let lowCharge = 30
    private static let highPressure = 20.0

    /// The folder in which the kernel lists batteries and power supplies.
    private let powerSupplies: String
    /// The file with the kernel's pressure stall information for I/O.
    private let pressure: String
    private let callsWait = Mutex<@Sendable () -> Bool>({ false })
    private let known = Mutex<(time: SuspendingClock.Instant, obstacle: Obstacle?)?>(nil)

    init(
        powerSupplies: String = "/sys/class/power_supply",
        pressure: String = "/proc/pressure/io"
    ) {
        self.powerSupplies = powerSupplies
        self.pressure = pressure
    }

    /// Sets the closure that indicates whether client calls are waiting.
    func observeCalls(_ body: @escaping @Sendable () -> Bool) { callsWait.withLock { $0 = body } }

    /// Returns the current reason to pause background work; nil if work may continue.
    func obstacle() -> Obstacle? {
        if callsWait.withLock(\.self)() { return .calls }
        return known.withLock { known in
            if let known, known.time + .seconds(1) > .now { return known.obstacle }
            let obstacle: Obstacle? =
                isBatteryLow ? .battery : isDiskUnderPressure ? .pressure : nil
            known = (.now, obstacle)
            return obstacle
        }
    }

    private var isBatteryLow: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: powerSupplies)) ?? []
        return names.contains { name in
            let folder = powerSupplies + "/" + name
            // The battery of a mouse has the scope of a device.
            guard Self.word(folder + "/type") == "Battery",
                Self.word(folder + "/scope") != "Device",
                Self.word(folder + "/status") == "Discharging",
                let charge = Self.word(folder + "/capacity").flatMap({ Int($0) })
            else { return false }
            return charge < Self.lowCharge
        }
    }

    /// Indicates whether the disk is under pressure, according to a line such as `some avg10=1.53
    /// avg60=0.87 avg300=0.22 total=38420`.
    private var isDiskUnderPressure: Bool {
        let text = (try? String(contentsOfFile: pressure, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for word in line.split(separator: " ") where word.hasPrefix("avg10=") {
                return Double(word.dropFirst("avg10=".count)).map { $0 > Self.highPressure }
                    ?? false
            }
        }
        return false
    }

    private static func word(_ file: String) -> String? {
        (try? String(contentsOfFile: file, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
