import CloudSync

/// The duties that have limits, and the removal of blobs that no change names.
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

/// The removal of blobs that no change names, which only schedules with various limits contain.
extension SimulatedWorld {
    /// The duty to remove all blobs of the store that no change names.
    var removeAbandoned: Duty {
        var names: Set<BlobName> = []
        for case .blob(let name) in store.objects.keys { names.insert(name) }
        return .removeAbandoned(names)
    }

    /// Removes blobs after some of the actions.
    ///
    /// The choice follows from the action and takes nothing from the schedule's generator.
    func removeSometimes(_ action: SimulatedAction, _ index: Int) {
        var generator = SimulationRandom(seed: ~action.nonce)
        switch generator.below(60) {
        case 0...3: duty(index, removeAbandoned)
        case 4: removeUploadOfJoiner(index)
        case 5: removeUploadOfRetired(index)
        default: break
        }
    }

    /// A content that no blob in the store has; nil if there is none.
    private var contentWithoutBlob: ContentID? {
        for number in 0..<profile.contents {
            let content = content(number)
            if store.blobs[content]?.isEmpty ?? true { return content }
        }
        return nil
    }

    /// Removes blobs while a device that nobody knows yet has uploaded one and not announced it.
    private func removeUploadOfJoiner(_ index: Int) {
        guard computers.count < 7, let content = contentWithoutBlob else { return }
        let old = Array(computers.indices)
        for computer in old { computers[computer].isOffline = false }
        let new = addComputer()
        importFile(new, content, isImported: false)
        // The own log is listed, then the file is uploaded.
        for _ in 0..<2 { perform(new, .publish) }
        for _ in 0..<3 {
            perform(index, removeAbandoned)
            for computer in old { session(computer, duties: []) }
        }
        perform(index, removeAbandoned)
        flush(new)
        for computer in old { session(computer, duties: []) }
        judgeContents()
    }

    /// Retires a computer while the segment that announces its upload is under way, and removes the
    /// upload; the segment arrives after the computer continued as a new device.
    private func removeUploadOfRetired(_ index: Int) {
        let other = (index + 1) % computers.count
        let device = computers[index].machine.device
        guard other != index, computers[other].machine.device != device, !isRolledBack,
            let content = contentWithoutBlob
        else { return }
        for computer in computers.indices { computers[computer].isOffline = false }
        for computer in [other, index] { session(computer, duties: []) }
        importFile(index, content, isImported: false)
        perform(index, .publish)
        let isAbsent = computers[index].isStoreAbsent
        computers[index].isStoreAbsent = true
        perform(index, .publish)
        computers[index].isStoreAbsent = isAbsent
        guard let pending = computers[index].machine.pending,
            computers[index].machine.device == device
        else { return }
        faults += 1
        let request = StoreRequest.put(.segment(device, pending.position), .segment(pending))
        late.append(Effect(request: request, computer: index))
        perform(other, .retire(device))
        for _ in 0..<4 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [])
            }
            perform(other, removeAbandoned)
        }
        // Otherwise it sends the segment again before it reads of its retirement.
        if random.chance(700) { perform(index, .pollAll) }
        session(index, duties: [])
        for computer in computers.indices { session(computer, duties: [condemn]) }
        judgeContents()
    }
}
