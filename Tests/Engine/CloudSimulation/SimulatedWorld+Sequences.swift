import CloudSync

extension SimulatedWorld {
    // MARK: - Targeted sequences

    /// Refers to a content and evicts its file as fast as the protocol lets it.
    func hurry(_ index: Int, _ content: ContentID) {
        let duties: [Duty] = [.pollAll, .publish, .pollAll]
        for duty in duties where random.chance(700) { perform(index, duty) }
        importFile(index, content, isImported: false)
        if random.chance(500) { return }
        flush(index)
        perform(index, .evict([content]))
    }

    /// Adds the bytes of a content whose only blob is about to be deleted.
    func reAdd(_ index: Int, _ content: ContentID) {
        let other = (index + 1 + random.below(computers.count)) % computers.count
        guard other != index else { return }
        // Everything that refers to the content goes, on one computer.
        for asset in assets where asset.contents.contains(content) {
            remove(asset.id, other)
        }
        for _ in 0..<2 {
            for computer in computers.indices where computer != index || random.chance(500) {
                session(computer, duties: [finishPurges, finishPurges, condemn])
            }
        }
        importFile(index, content, isImported: false)
        if random.chance(500) { computers[index].isOffline = true }
        for computer in computers.indices where random.chance(700) {
            session(computer, duties: [finishPurges, condemn, collect])
        }
        if random.chance(300) { takeEffect(random.below(1 << 20)) }
        if random.chance(500) { wake(index, content) }
    }

    /// Retires a computer whose last segment nobody has read.
    func retireWhileUnread(_ index: Int, _ content: ContentID) {
        let other = (index + 1) % computers.count
        guard other != index else { return }
        session(index, duties: [])
        if random.chance(700) {
            for asset in assets where asset.contents.contains(content) { remove(asset.id, other) }
            for computer in computers.indices {
                session(computer, duties: [finishPurges, finishPurges])
            }
            for computer in computers.indices where computer != index {
                session(computer, duties: [finishPurges])
            }
            session(index, duties: [])
        }
        // It relies on the blob in a segment that the others do not see yet.
        importFile(index, content, isImported: false)
        if random.chance(600) { flush(index) }
        if random.chance(500) { perform(index, .evict([content])) }
        computers[index].isOffline = true
        perform(other, .retire(computers[index].machine.device))
        perform(other, condemn)
        flush(other)
        let heads = store.logs.keys.filter { $0 != computers[index].machine.device }.sorted()
        for _ in 0..<2 {
            for computer in computers.indices where computer != index {
                // They read each other's logs only.
                for log in heads { perform(computer, .poll(log)) }
                perform(computer, condemn)
                perform(computer, condemn)
                flush(computer)
                perform(computer, collect)
                perform(computer, collect)
            }
        }
        judgeContents()
        if random.chance(500) { return }
        for _ in 0..<3 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [condemn, collect])
            }
        }
        judgeContents()
    }

    /// Sleeps through a whole life cycle, is retired meanwhile, then evicts at once.
    func wakeAndEvict(_ index: Int, _ content: ContentID) {
        let other = (index + 1) % computers.count
        guard other != index else { return }
        session(index, duties: [])
        for asset in assets where asset.contents.contains(content) { remove(asset.id, other) }
        for _ in 0..<2 {
            for computer in computers.indices { session(computer, duties: [finishPurges]) }
        }
        computers[index].isOffline = true
        importFile(index, content, isImported: false)
        if random.chance(600) { retire(index, by: other) }
        computers[index].isOffline = true
        if random.chance(500) { now += 60 * 86_400_000 }
        for _ in 0..<3 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [finishPurges, condemn, collect])
            }
        }
        wake(index, content)
        judgeContents()
    }

    /// Restores an evicted photo without a connection, while another computer purges it.
    func restoreOffline(_ index: Int) {
        let other = (index + 1) % computers.count
        guard other != index,
            let asset = assets.last(where: { computers[index].machine.state.isAlive($0.id) })
        else { return }
        setTrash(asset.id, true, other)
        session(other, duties: [])
        session(index, duties: asset.contents.map { .evict([$0]) })
        computers[index].isOffline = true
        setTrash(asset.id, false, index)
        purge(asset.id, other)
        for _ in 0..<2 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [finishPurges, condemn, collect])
            }
        }
        judgeContents()
        if random.chance(700) { computers[index].isOffline = false }
    }

    /// Restores a photo after its purge was read, but not the later trash that the purge names.
    func restoreUnseen(_ index: Int) {
        let other = (index + 1) % computers.count
        let third = (index + 2) % computers.count
        guard Set([index, other, third]).count == 3,
            let asset = assets.last(where: { computers[index].machine.state.isAlive($0.id) })
        else { return }
        setTrash(asset.id, true, other)
        for computer in [other, index] { session(computer, duties: []) }
        setTrash(asset.id, false, other)
        setTrash(asset.id, true, other)
        for computer in [other, third] { session(computer, duties: []) }
        purge(asset.id, third)
        flush(third)
        poll(index, except: [computers[other].machine.device])
        flush(index)
        setTrash(asset.id, false, index)
        for _ in 0..<2 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [finishPurges])
            }
        }
    }

    /// Polls all logs but some, as a device does that follows stale heads.
    func poll(_ index: Int, except excluded: Set<CloudID>) {
        for log in store.logs.keys.sorted() where !excluded.contains(log) {
            perform(index, .poll(log))
        }
    }

    /// Purges everything with a content on all computers, but leaves its blob alone.
    func forget(_ content: ContentID, by other: Int) {
        session(other, duties: [])
        for asset in assets where asset.contents.contains(content) { remove(asset.id, other) }
        for _ in 0..<3 {
            for computer in computers.indices {
                session(computer, duties: [finishPurges, finishPurges])
            }
        }
    }

    /// Refers to a blob in the log of a device that was retired meanwhile, and continues under a
    /// new name, while the others do not read the old log again.
    func lateReference(_ index: Int, _ content: ContentID) {
        let other = (index + 1) % computers.count
        guard other != index else { return }
        importFile(other, content, isImported: false)
        flush(other)
        forget(content, by: other)
        let old = computers[index].machine.device
        computers[index].isOffline = true
        importFile(index, content, isImported: false)
        perform(other, .retire(old))
        let isDeletedFirst = random.chance(500)
        for _ in 0..<3 {
            for computer in computers.indices where computer != index {
                session(computer, duties: isDeletedFirst ? [condemn, collect] : [])
            }
        }
        computers[index].isOffline = false
        flush(index)
        perform(index, .pollAll)
        flush(index)
        if isDeletedFirst {
            perform(index, replenish)
            flush(index)
        } else {
            perform(index, .evict([content]))
        }
        var unread: Set<CloudID> = [old]
        if !isDeletedFirst { unread.insert(computers[index].machine.device) }
        for _ in 0..<3 {
            poll(other, except: unread)
            perform(other, condemn)
            perform(other, condemn)
            flush(other)
            for computer in computers.indices where computer != other {
                if isDeletedFirst {
                    session(computer, duties: [])
                } else if computer != index {
                    poll(computer, except: unread)
                    flush(computer)
                }
            }
            poll(other, except: unread)
            perform(other, collect)
            perform(other, collect)
        }
        judgeContents()
    }

    /// Lets two devices join that know each other only from the vectors of a third.
    func twoJoiners(_ content: ContentID) {
        guard computers.count < 6 else { return }
        importFile(0, content, isImported: false)
        flush(0)
        forget(content, by: 0)
        let old = Array(computers.indices)
        let (first, second) = (addComputer(), addComputer())
        perform(first, .pollAll)
        perform(second, .pollAll)
        let isLate = random.chance(500)
        let (one, two) = (computers[first].machine.device, computers[second].machine.device)
        if !isLate { flush(second) }
        flush(first)
        for _ in 0..<2 {
            for computer in old { session(computer, duties: []) }
            poll(first, except: [two])
            flush(first)
        }
        if !isLate {
            poll(second, except: [one])
            computers[second].isOffline = true
            importFile(second, content, isImported: false)
        }
        for _ in 0..<3 { perform(first, condemn) }
        flush(first)
        for computer in old { session(computer, duties: []) }
        poll(first, except: [two])
        for _ in 0..<3 { perform(first, collect) }
        if isLate {
            flush(second)
            for computer in old { session(computer, duties: []) }
            poll(second, except: [one])
            importFile(second, content, isImported: false)
        }
        computers[second].isOffline = false
        flush(second)
        for computer in old { session(computer, duties: []) }
        judgeContents()
    }

    /// Restores a photo after other changes, reads its purge, and publishes only some of that.
    func partialExport(_ index: Int) {
        let other = (index + 1) % computers.count
        guard other != index,
            let asset = assets.last(where: { computers[index].machine.state.isAlive($0.id) })
        else { return }
        for computer in [index, other, index] { session(computer, duties: []) }
        setTrash(asset.id, true, other)
        for computer in [other, index] { session(computer, duties: []) }
        change(.favorite, index, random.below(1 << 20))
        change(.keyword, index, random.below(1 << 20))
        setTrash(asset.id, false, index)
        purge(asset.id, other)
        flush(other)
        perform(index, .pollAll)
        perform(index, .publish)
        for _ in 0..<2 {
            for computer in computers.indices where computer != index {
                session(computer, duties: [finishPurges])
            }
        }
    }

    /// Deletes segments that a new device has listed and not yet read.
    func compactDuringPoll(_ index: Int) {
        guard computers.count < 7 else { return }
        let new = addComputer()
        step(new, .perform(.pollAll))
        let old = computers.indices.filter { $0 != new }
        for _ in 0..<2 {
            for computer in old { session(computer, duties: [.snapshot]) }
        }
        for computer in old { session(computer, duties: [.compact]) }
        deliver(new)
        perform(new, .pollAll)
    }
}
