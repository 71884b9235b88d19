import CloudSync

extension SimulatedWorld {
    // MARK: - What takes effect

    /// Remembers a segment that took effect in the store.
    func observe(_ sealed: SealedSegment) {
        guard segments.updateValue(sealed, forKey: sealed.hash) == nil else { return }
        let device = sealed.segment.device
        if segments.count % 16 == 0,
            (try? Segment(decoding: sealed.segment.encoded())) != sealed.segment
        {
            fail("A segment of \(device) is not what its bytes say.")
        }
        // Nobody waited for what a retired device or one of two clones wrote.
        let isLate = retired.contains(device) || forkRisks.contains(device)
        for transaction in sealed.segment.transactions {
            for operation in transaction.operations {
                let intent = Intent(
                    author: transaction.author,
                    time: transaction.time,
                    operation: operation
                )
                published.insert(intent)
                // A new incarnation publishes again what its retired one had committed.
                if transaction.author != device, retired.contains(transaction.author) {
                    unprotectedIntents.insert(intent)
                }
                switch operation {
                case .retire(let other): retired.insert(other)
                case .final(let id): finals.insert(id)
                case .stored(let content, _, _):
                    let vector = sealed.segment.vector
                    unprotected[content]?.removeAll { late in
                        !isLate && vector[late.device]?.sequence ?? 0 >= late.position.sequence
                    }
                case .create, .set:
                    guard isLate else { continue }
                    let place = LogPlace(device: device, position: sealed.position)
                    for content in operation.contents {
                        unprotected[content, default: []].append(place)
                    }
                    unprotectedIntents.insert(intent)
                    if case .set(let id, RegisterKey(.trash), _, _) = operation,
                        let asset = assets.first(where: { $0.id == id })
                    {
                        for content in asset.contents {
                            unprotected[content, default: []].append(place)
                        }
                    }
                default: break
                }
            }
        }
    }

    // MARK: - Originals

    /// Remembers which files of a disk nobody else has.
    ///
    /// Late segments protect nothing until the next incarnation of their device uploads anew, so
    /// what only they refer to is lost with the disk, like what was not published.
    func noteLoss(of contents: Set<ContentID>) {
        for content in contents where unprotected[content]?.isEmpty == false && !hasBlob(content) {
            if computers.contains(where: { $0.machine.files.contains(content) }) { continue }
            lostWithDisk.insert(content)
        }
    }

    /// Remembers, before a DELETE, that the blob is the last copy of a content and that no change
    /// names it.
    ///
    /// An older image replaced the disk of the computer that uploaded it. A late segment that names
    /// the blob brings nothing back.
    func noteDeletion(_ request: StoreRequest) {
        guard case .delete(.blob(let name)) = request,
            case .blob(let content)? = store.objects[.blob(name)],
            store.blobs[content]?.count == 1,
            !computers.contains(where: { $0.machine.files.contains(content) })
        else { return }
        for sealed in segments.values {
            for transaction in sealed.segment.transactions {
                for case .stored(_, name, _) in transaction.operations { return }
            }
        }
        lostWithDisk.insert(content)
    }

    /// Tells whether the store has a content in a blob that no pending DELETE names.
    private func hasBlob(_ content: ContentID) -> Bool {
        guard let names = store.blobs[content], !names.isEmpty else { return false }
        if late.isEmpty { return true }
        var doomed: Set<ObjectName> = []
        for case .delete(let name) in late.map(\.request) { doomed.insert(name) }
        return names.contains { !doomed.contains($0) }
    }

    /// Oracle 1, after a DELETE: each content that some computer shows and does not have can be
    /// fetched.
    func judgeDeletion(_ request: StoreRequest) {
        if case .delete(.blob) = request { judgeContents() }
    }

    /// Oracle 1, after an eviction: the last copy does not go.
    func judgeRemoval(of content: ContentID, by index: Int) {
        let isNeeded = computers.contains { computer in
            computer.machine.state.isNeeded(content)
                && !computer.machine.state.finals.isSuperset(of: users(of: content, in: computer))
        }
        guard isNeeded, !hasBlob(content), !isDead(content) else { return }
        if computers.contains(where: { $0.machine.files.contains(content) }) { return }
        fail("Computer \(index) removed the last copy of content \(content.second.low).")
    }

    private func users(of content: ContentID, in computer: Computer) -> Set<CloudID> {
        computer.machine.state.referrers[content].map(Set.init) ?? []
    }

    /// Tells whether all assets with a content are purged for ever somewhere.
    private func isDead(_ content: ContentID) -> Bool {
        computers.allSatisfy { computer in
            users(of: content, in: computer).allSatisfy { isFinal($0) || !isShown($0, computer) }
        }
    }

    private func isShown(_ id: CloudID, _ computer: Computer) -> Bool {
        computer.machine.state.isAlive(id)
    }

    private func isFinal(_ id: CloudID) -> Bool {
        finals.contains(id) || computers.contains { $0.machine.state.finals.contains(id) }
    }

    /// Oracle 1: what a computer shows and does not have is in the store.
    func judgeContents() {
        guard violation == nil, !isRolledBack else { return }
        for number in 0..<profile.contents {
            let content = content(number)
            if hasBlob(content) {
                lostWithDisk.remove(content)
                continue
            }
            if lostWithDisk.contains(content) { continue }
            for (index, computer) in computers.enumerated() {
                let state = computer.machine.state
                guard !computer.machine.files.contains(content), state.isNeeded(content) else {
                    continue
                }
                let shown = users(of: content, in: computer).filter {
                    isShown($0, computer) && !isFinal($0)
                        && state.objects[$0]?.contents.contains(content) == true
                }
                guard !shown.isEmpty else { continue }
                let hasFile = computers.contains { $0.machine.files.contains(content) }
                if unprotected[content]?.isEmpty == false, hasFile { continue }
                fail(
                    "Computer \(index) shows an asset with content \(number + 1), which is neither "
                        + "there nor in the store\(hasFile ? "" : " nor anywhere")."
                )
                return
            }
        }
        judgeTransactions()
    }

    /// Oracle 4: no part of a transaction is visible.
    private func judgeTransactions() {
        for (index, computer) in computers.enumerated() {
            for album in albums {
                guard let object = computer.machine.state.objects[album], object.creation != nil,
                    object.registers[RegisterKey(.title)] == nil
                else { continue }
                fail("Computer \(index) shows half of a transaction.")
            }
        }
    }

    /// Remembers that a computer saw what is left after a rollback.
    func noteListing(_ answer: Answer, by index: Int) {
        guard isRolledBack, case .listed(let names) = answer.result else { return }
        let machine = computers[index].machine
        guard let tips = machine.tips(ofListing: answer.request) else { return }
        var last: [CloudID: UInt64] = [:]
        for case .segment(let device, let position) in names {
            last[device] = max(last[device] ?? 0, position.sequence)
        }
        let lacksSome = tips.contains { device, tip in tip.sequence > last[device] ?? 0 }
        if lacksSome { computers[index].hasSeenRollback = true }
    }

    /// Oracle 8: a computer that saw that the store lost something writes nothing to it.
    func judgeRequest(_ request: StoreRequest, by index: Int) {
        guard isRolledBack, computers[index].hasSeenRollback else { return }
        switch request {
        case .put(.blob, _), .put(.segment, _), .delete: break
        default: return
        }
        for (device, progress) in computers[index].machine.logs {
            guard let tip = progress.tip else { continue }
            let last = store.logs[device]?.map(\.sequence).max() ?? 0
            guard tip.sequence > last else { continue }
            fail("Computer \(index) writes to a store that it has seen to be rolled back.")
            return
        }
    }

    /// Oracle 7: the blob of a photo that somebody restored was not condemned.
    func judgeCondemnation(_ blob: BlobName, by index: Int) {
        let state = computers[index].machine.state
        guard let content = state.blobs[blob]?.content, state.usableBlob(of: content) == nil else {
            return
        }
        for id in users(of: content, in: computers[index]) where !isFinal(id) {
            for (other, computer) in computers.enumerated() where computer.machine.isFull {
                guard !retired.contains(computer.machine.device), isShown(id, computer),
                    !forkRisks.contains(computer.machine.device),
                    computer.machine.state.objects[id]?.contents.contains(content) == true
                else { continue }
                fail(
                    "Computer \(index) condemned the last blob of an asset that computer \(other) "
                        + "shows."
                )
                return
            }
        }
    }

    // MARK: - Rest

    /// Heals everything, lets all computers work until nothing changes, and judges the end.
    package func rest() {
        judgeContents()
        guard violation == nil, !isRolledBack else { return }
        faultRate = 0
        random = SimulationRandom(seed: 1)
        while !late.isEmpty {
            let effect = late.removeFirst()
            perform(effect.request, by: effect.computer)
        }
        for index in computers.indices {
            computers[index].isOffline = false
            computers[index].isStoreAbsent = false
            computers[index].crashesAfter = nil
            computers[index].answers = []
            step(index, .start)
        }
        let duties: [Duty] = [replenish, finishPurges, pairTwins, condemn, collect]
        var rounds = 0
        while violation == nil {
            let before = store.changes
            // A download precedes the upload of a copy, and does not change the store.
            let files = computers.map(\.machine.files)
            for index in computers.indices {
                session(index, duties: duties)
                if profile.variesLimits { perform(index, removeAbandoned) }
            }
            retireUnused()
            judgeContents()
            let isIdle = computers.allSatisfy { $0.machine.unexported.isEmpty }
            if store.changes == before, isIdle, computers.map(\.machine.files) == files { break }
            rounds += 1
            if rounds > 60 { fail("The computers do not come to rest.") }
        }
        judgeRest()
    }

    /// Retires incarnations that no computer continues, as a person does in the end.
    ///
    /// An image that is restored twice leaves one behind that the computer does not know.
    private func retireUnused() {
        let used = Set(computers.map(\.machine.device))
        let machine = computers[0].machine
        for device in machine.members.sorted()
        where !used.contains(device) && !machine.state.retired.contains(device) {
            perform(0, .retire(device))
        }
    }

    private func judgeRest() {
        guard violation == nil, let first = computers.first else { return }
        for (index, computer) in computers.enumerated() {
            let machine = computer.machine
            if machine.isReadOnly { fail("Computer \(index) takes the store for rolled back.") }
            if !machine.unexported.isEmpty || machine.pending != nil {
                fail("Computer \(index) did not publish everything.")
            }
            if let part = machine.state.summary.difference(from: first.machine.state.summary) {
                fail("Computers 0 and \(index) differ at rest, in the \(part).")
            }
            if !machine.isFull { fail("Computer \(index) does not become full.") }
        }
        for intent in intents where !published.contains(intent) && !excused.contains(intent) {
            fail("A change was never published: \(intent.operation).")
        }
        judgeFold(first.machine.state)
        judgeFinals()
        for (name, blob) in first.machine.state.blobs
        where blob.content != nil && blob.key != Self.key(of: name) {
            fail("The key of a blob did not arrive.")
        }
        for number in 0..<profile.contents
        where first.machine.state.isNeeded(content(number))
            && !lostWithDisk.contains(content(number))
        {
            guard let blob = first.machine.state.usableBlob(of: content(number)) else {
                fail("Content \(number + 1) has no usable blob at rest.")
                return
            }
            if store.objects[.blob(blob)] == nil {
                fail("The blob of content \(number + 1) is missing at rest.")
            }
        }
    }

    /// Oracle 3: a photo that somebody restored was not purged for ever.
    private func judgeFinals() {
        for id in finals {
            let changes = intents.filter {
                if case .set(id, RegisterKey(.trash), _, _) = $0.operation {
                    return published.contains($0)
                }
                return false
            }
            // A computer whose image was restored can give out a stamp again, if its clock is
            // behind its stamps. Of two such changes, the one counts that the merge takes.
            let last = changes.max { left, right in
                guard let left = left.register, let right = right.register else { return false }
                return right.supersedes(left)
            }
            guard let last, case .set(_, _, _, .none) = last.operation,
                !unprotectedIntents.contains(last)
            else { continue }
            fail("An asset that somebody restored was purged for ever.")
        }
    }

    /// Oracle 2: the state is what a naive fold of the changes of people gives.
    private func judgeFold(_ state: LibraryState) {
        let fold = NaiveFold(published: published, intents: Set(intents), finals: finals)
        if let difference = fold.difference(from: state) { fail(difference) }
    }
}

extension LibraryState {
    /// The parts of a state that are equal on all computers at rest.
    struct Summary: Equatable {
        var objects: [CloudID: [RegisterKey: Register]]
        var creations: [CloudID: Creation]
        var finals: Set<CloudID>
        var pairs: Set<TwinPair>
        var unknown: Set<UnknownOperation>
        var retired: Set<CloudID>
        var condemned: Set<BlobName>
        var usable: Set<BlobName>
        var view: MergedLibrary

        /// Names the first part that differs, or returns nil.
        func difference(from other: Summary) -> String? {
            if finals != other.finals { return "final purges" }
            if objects != other.objects { return "registers" }
            if creations != other.creations { return "creations" }
            if pairs != other.pairs { return "twins" }
            if unknown != other.unknown { return "unknown operations" }
            if retired != other.retired { return "retirements" }
            if condemned != other.condemned { return "condemned blobs" }
            if usable != other.usable { return "usable blobs" }
            return view == other.view ? nil : "view"
        }
    }

    var summary: Summary {
        let objects = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0.object) })
        return Summary(
            objects: objects.mapValues(\.registers),
            creations: objects.compactMapValues(\.creation),
            finals: finals,
            pairs: pairs,
            unknown: unknown,
            retired: retired,
            condemned: Set(blobs.filter(\.value.isCondemned).keys),
            usable: Set(blobs.filter(\.value.isUsable).keys),
            view: view()
        )
    }
}
