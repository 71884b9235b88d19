import CloudSync
import PhotoModel

extension SimulatedWorld {
    /// Carries out one action of a schedule.
    package func perform(_ action: SimulatedAction) {
        guard violation == nil else { return }
        random = SimulationRandom(seed: action.nonce)
        let index = action.computer % computers.count
        let content = content(action.choice % profile.contents)
        now += UInt64(action.choice % 5) * 3_600_000
        switch action.kind {
        case .importFile: importFile(index, content, isImported: false)
        case .importTwin: importFile(index, content, isImported: true)
        case .trash, .restore, .purge, .favorite, .place, .edit, .keyword, .futureOperation,
            .member, .album, .moveFolder:
            change(action.kind, index, action.choice)
        case .session:
            let all: [Duty] = [
                replenish, condemn, collect, finishPurges, pairTwins, .evict([content]),
                .snapshot, .compact,
            ]
            session(index, duties: all.filter { _ in random.chance(250) })
        case .publish: duty(index, .publish)
        case .pollAll: duty(index, .pollAll)
        case .pollHeads: duty(index, .pollHeads)
        case .pollOne:
            let logs = store.logs.keys.sorted()
            if !logs.isEmpty { duty(index, .poll(logs[action.choice % logs.count])) }
        case .evict: duty(index, .evict([content]))
        case .download: duty(index, .download(content))
        case .replenish: duty(index, replenish)
        case .condemn: duty(index, condemn)
        case .collect: duty(index, collect)
        case .finishPurges: duty(index, finishPurges)
        case .twins: duty(index, pairTwins)
        case .snapshot: duty(index, .snapshot)
        case .compact: duty(index, .compact)
        case .deliver: deliver(index, limit: 1 + action.choice % 3, slow: true)
        default: fault(action, index, content)
        }
        if profile.variesLimits { removeSometimes(action, index) }
        if action.nonce % 4 == 0 { judgeContents() }
    }

    /// Asks for one duty, whose answers may arrive later.
    func duty(_ index: Int, _ duty: Duty) {
        guard !computers[index].isOffline else { return }
        step(index, .perform(duty))
        if random.chance(700) { deliver(index) }
    }

    // MARK: - Faults

    func fault(_ action: SimulatedAction, _ index: Int, _ content: ContentID) {
        switch action.kind {
        case .crash: crash(index)
        case .crashSoon: computers[index].crashesAfter = action.choice % 5
        case .offline:
            faults += 1
            computers[index].isOffline = true
        case .online: computers[index].isOffline = false
        case .wakeHostile: wake(index, content)
        case .clone: clone(index)
        case .backUp:
            computers[index].backup = computers[index].machine
            if image == nil || random.chance(300) { image = store }
        case .restoreImage: restoreImage(index)
        case .clockJump:
            faults += 1
            let years = Int64(action.choice % 21) - 10
            computers[index].clockError = years * 31_536_000_000
        case .advance: now += UInt64(1 + action.choice % 48) * 3_600_000
        case .longWait:
            faults += 1
            now += UInt64(40 + action.choice % 200) * 86_400_000
            // Most of the others go on meanwhile.
            for other in computers.indices where other != index {
                session(other, duties: [condemn, collect, finishPurges])
            }
        case .effects: takeEffect(action.choice)
        case .join: join(content)
        case .retire: retire(index, by: (index + 1) % computers.count)
        case .absent:
            faults += 1
            computers[index].isStoreAbsent.toggle()
        case .rollBack: rollBack()
        case .faultsOn: faultRate = [0, profile.faultRate, 500][action.choice % 3]
        default: sequence(action.kind, index, content)
        }
    }

    /// Starts a sequence that aims at one rule, usually with everybody there.
    private func sequence(
        _ kind: SimulatedAction.Kind,
        _ index: Int,
        _ content: ContentID
    ) {
        if random.chance(700) {
            for computer in computers.indices { computers[computer].isOffline = false }
        }
        switch kind {
        case .reAdd: reAdd(index, content)
        case .joinAndImport:
            let new = join(content)
            if let new { hurry(new, content) }
        case .retireWhileUnread: retireWhileUnread(index, content)
        case .wakeAndEvict: wakeAndEvict(index, content)
        case .restoreOffline: restoreOffline(index)
        case .lateReference: lateReference(index, content)
        case .twoJoiners: twoJoiners(content)
        case .partialExport: partialExport(index)
        case .compactDuringPoll: compactDuringPoll(index)
        case .restoreUnseen: restoreUnseen(index)
        default: break
        }
    }

    func takeEffect(_ choice: Int) {
        guard !late.isEmpty else { return }
        faults += 1
        let effect = late.remove(at: choice % late.count)
        perform(effect.request, by: effect.computer)
    }

    /// The first thing after waking: publish, evict everything, and only then look around.
    func wake(_ index: Int, _ content: ContentID) {
        computers[index].isOffline = false
        flush(index)
        for number in 0..<profile.contents { perform(index, .evict([self.content(number)])) }
    }

    func clone(_ index: Int) {
        guard computers.count < 7 else { return }
        faults += 1
        forkRisks.insert(computers[index].machine.device)
        computers.append(Computer(machine: computers[index].machine))
        step(computers.count - 1, .start)
    }

    func restoreImage(_ index: Int) {
        guard let backup = computers[index].backup else { return }
        faults += 1
        forkRisks.insert(backup.device)
        forkRisks.insert(computers[index].machine.device)
        // What was not published since the image is lost with the disk.
        let authors = Set([computers[index].machine.device] + computers[index].machine.former)
        for intent in intents where authors.contains(intent.author) && !published.contains(intent) {
            excused.insert(intent)
        }
        let lost = computers[index].machine.files.subtracting(backup.files)
        computers[index].machine = backup
        lostWithDisk.subtract(backup.files)
        noteLoss(of: lost)
        computers[index].answers = []
        computers[index].crashesAfter = nil
        step(index, .start)
    }

    @discardableResult private func join(_ content: ContentID) -> Int? {
        guard computers.count < 7 else { return nil }
        let new = addComputer()
        guard let known = assets.last(where: { $0.isImported }), random.chance(500) else {
            return new
        }
        // The same library of another program was imported on both.
        let created = HybridTime(rawValue: (1_600_000_000_000 + names) << 20)
        let isFavorite = random.chance(300)
        let key = RegisterKey(.isFavorite)
        let object = ExistingObject(
            id: known.id,
            creation: Creation(
                kind: .asset,
                isImported: true,
                originals: known.contents.map { CloudResource(id: known.id, content: $0) }
            ),
            values: isFavorite ? [(key, .flag(true), created)] : [],
            defaults: isFavorite ? [] : [(key, .flag(false))],
            created: created
        )
        step(new, .adopt([object]))
        lostWithDisk.subtract(known.contents)
        note(new, .create(known.id, object.creation), created)
        if isFavorite { note(new, .set(known.id, key, rank: 0, .flag(true)), created) }
        return new
    }

    func retire(_ index: Int, by other: Int) {
        guard index != other, computers[index].machine.device != computers[other].machine.device,
            !isRolledBack
        else { return }
        faults += 1
        computers[index].isOffline = random.chance(800)
        perform(other, .retire(computers[index].machine.device))
    }

    func rollBack() {
        guard let image, !isRolledBack else { return }
        faults += 1
        isRolledBack = true
        late = []
        store = image
    }
}
