import CloudSync

/// The duties that have limits.
extension SimulatedWorld {
    /// The limit of the next duty.
    ///
    /// It is 1 unless the limits vary: the recorded seeds were found with it. Others follow from
    /// the number of names that were given out, and take nothing from the schedule's generator.
    private var limit: Int {
        guard profile.variesLimits else { return 1 }
        var generator = SimulationRandom(seed: names)
        return 1 + generator.below(4)
    }

    var replenish: Duty { .replenish(limit: limit) }
    var condemn: Duty { .condemn(limit: limit) }
    var collect: Duty { .collect(limit: limit) }
    var finishPurges: Duty { .finishPurges(limit: limit) }
    var pairTwins: Duty { .pairTwins(limit: limit) }
}
