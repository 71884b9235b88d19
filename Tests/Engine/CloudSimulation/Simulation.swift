package import CloudSync

/// Runs of the simulation: one number is one run.
package enum Simulation {
    /// The end of a run.
    package struct Outcome: Sendable {
        package var seed: UInt64
        package var profile: String
        package var faults: Int
        package var violation: String?
        package var trace: UInt64
    }

    /// The profile of a seed.
    package static func profile(of seed: UInt64) -> SimulationProfile {
        let all = SimulationProfile.all
        return all[Int(seed % UInt64(all.count))]
    }

    /// Runs the schedule of a seed.
    package static func run(
        seed: UInt64,
        weakness: Weakness? = nil,
        uploadsAtOnce: Int = 1,
        variesLimits: Bool = false
    ) -> Outcome {
        run(
            profile(of: seed).schedule(seed: seed),
            seed: seed,
            weakness: weakness,
            uploadsAtOnce: uploadsAtOnce,
            variesLimits: variesLimits
        )
    }

    /// Runs a schedule.
    package static func run(
        _ schedule: [SimulatedAction],
        seed: UInt64,
        weakness: Weakness? = nil,
        uploadsAtOnce: Int = 1,
        variesLimits: Bool = false
    ) -> Outcome {
        var profile = profile(of: seed)
        profile.uploadsAtOnce = uploadsAtOnce
        profile.variesLimits = variesLimits
        let world = SimulatedWorld(profile: profile, weakness: weakness)
        for action in schedule {
            world.perform(action)
            if world.violation != nil { break }
        }
        world.rest()
        return Outcome(
            seed: seed,
            profile: profile.name,
            faults: world.faults,
            violation: world.violation,
            trace: world.trace
        )
    }

    /// The smallest schedule found that still fails, by leaving out actions.
    package static func shrink(seed: UInt64, weakness: Weakness? = nil, attempts: Int = 4000)
        -> [SimulatedAction]
    {
        var schedule = profile(of: seed).schedule(seed: seed)
        let words = run(seed: seed, weakness: weakness).violation?.split(separator: " ")
        var left = attempts
        var size = schedule.count / 2
        while size > 0, left > 0 {
            var start = 0
            while start < schedule.count, left > 0 {
                var shorter = schedule
                shorter.removeSubrange(start..<min(schedule.count, start + size))
                left -= 1
                let found = run(shorter, seed: seed, weakness: weakness).violation
                // The end of a message tells the oracle; its beginning names computers.
                if let found, found.split(separator: " ").suffix(3) == words?.suffix(3) {
                    schedule = shorter
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return schedule
    }
}
