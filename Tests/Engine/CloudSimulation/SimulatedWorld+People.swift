import CloudSync
import PhotoModel

extension SimulatedWorld {
    /// Commits operations of a person.
    func commit(_ index: Int, _ operations: [CloudOperation], adding: [ContentID] = []) {
        guard violation == nil else { return }
        let count = computers[index].machine.unexported.count
        step(index, .commit(operations, adding: adding))
        lostWithDisk.subtract(adding)
        let machine = computers[index].machine
        guard machine.unexported.count > count, let last = machine.unexported.last else { return }
        for operation in operations { note(index, operation, last.time) }
        // A person sees an own change at once, whatever the clocks say.
        for case .set(let id, let key, _, let value) in operations
        where !key.group.isRanked && !machine.state.finals.contains(id) {
            let register = machine.state.objects[id]?.registers[key]
            if register?.value != value || register?.stamp != last.stamp {
                fail("A change on computer \(index) is not visible there.")
            }
        }
    }

    func note(_ index: Int, _ operation: CloudOperation, _ time: HybridTime) {
        let machine = computers[index].machine
        let intent = Intent(author: machine.device, time: time, operation: operation)
        intents.append(intent)
        // A joiner is not waited for, and one of two clones acknowledges for the other.
        if !machine.isFull || machine.state.retired.contains(machine.device)
            || forkRisks.contains(machine.device)
        {
            unprotectedIntents.insert(intent)
        }
    }

    func importFile(_ index: Int, _ content: ContentID, isImported: Bool) {
        guard assets.count < 60 else { return }
        let id = fresh()
        let creation = Creation(
            kind: .asset,
            isImported: isImported,
            originals: [CloudResource(id: id, content: content)]
        )
        assets.append(KnownAsset(id: id, contents: [content], isImported: isImported))
        commit(index, [.create(id, creation)], adding: [content])
    }

    func setTrash(_ id: CloudID, _ isTrashed: Bool, _ index: Int) {
        let state = computers[index].machine.state
        guard state.isAlive(id) else { return }
        let twins = state.twins(of: id).filter { state.isAlive($0) }
        let key = RegisterKey(.trash)
        let operations = twins.map {
            CloudOperation.set($0, key, rank: 0, isTrashed ? .number(Int64(now)) : .none)
        }
        commit(index, operations)
    }

    func purge(_ id: CloudID, _ index: Int) {
        let state = computers[index].machine.state
        let key = RegisterKey(.trash)
        var operations: [CloudOperation] = []
        for twin in state.twins(of: id) where state.isAlive(twin) {
            guard let trash = state.objects[twin]?.registers[key], trash.value != .none else {
                continue
            }
            operations.append(.purge(twin, trash: trash.stamp, date: trash.value))
        }
        guard !operations.isEmpty else { return }
        commit(index, operations)
    }

    /// Moves an object to the trash and purges it.
    func remove(_ id: CloudID, _ index: Int) {
        guard computers[index].machine.state.isAlive(id) else { return }
        setTrash(id, true, index)
        purge(id, index)
    }

    func change(_ kind: SimulatedAction.Kind, _ index: Int, _ choice: Int) {
        let state = computers[index].machine.state
        if kind == .album || kind == .moveFolder || kind == .member {
            changeCollections(kind, index, choice)
            return
        }
        guard !assets.isEmpty else { return }
        let asset = assets[choice % assets.count]
        guard let object = state.objects[asset.id], state.isAlive(asset.id) else { return }
        let isTrashed = object.registers[RegisterKey(.trash)].map { $0.value != .none } ?? false
        switch kind {
        case .trash: if !isTrashed { setTrash(asset.id, true, index) }
        case .restore: if isTrashed { setTrash(asset.id, false, index) }
        case .purge: purge(asset.id, index)
        case .favorite:
            let value = RegisterValue.flag(choice % 3 > 0)
            commit(index, [.set(asset.id, RegisterKey(.isFavorite), rank: 0, value)])
        case .place: setPlace(asset.id, index, choice)
        case .edit:
            let content = content(profile.contents - 1)
            let edit = CloudResource(id: fresh(), content: content)
            let value: RegisterValue = .resources(choice % 3 == 0 ? [] : [edit])
            commit(
                index,
                [.set(asset.id, RegisterKey(.content), rank: 0, value)],
                adding: choice % 3 == 0 ? [] : [content]
            )
        case .keyword:
            let key = RegisterKey(.keyword, .word("word \(choice % 3)"))
            commit(index, [.set(asset.id, key, rank: 0, .flag(choice % 5 > 0))])
        case .futureOperation:
            commit(index, [.unknown(kind: 200, [UInt8(truncatingIfNeeded: choice)])])
        default: break
        }
    }

    /// Changes one coordinate, as a person does who corrects a place.
    private func setPlace(_ id: CloudID, _ index: Int, _ choice: Int) {
        let key = RegisterKey(.place)
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        let registers = computers[index].machine.state.objects[id]?.registers ?? [:]
        if case .pair(let first, let second) = registers[key]?.value {
            (latitude, longitude) = (first, second)
        }
        if choice % 2 == 0 { latitude += 1 } else { longitude += 1 }
        commit(index, [.set(id, key, rank: 0, .pair(latitude, longitude))])
    }

    private func changeCollections(_ kind: SimulatedAction.Kind, _ index: Int, _ choice: Int) {
        let state = computers[index].machine.state
        if kind == .album {
            guard albums.count < 6 else { return }
            let id = fresh()
            albums.append(id)
            // All of it or nothing appears elsewhere.
            commit(
                index,
                [
                    .create(id, Creation(kind: .folder)),
                    .set(id, RegisterKey(.title), rank: 0, .text("album \(albums.count)")),
                ]
            )
            return
        }
        guard !albums.isEmpty else { return }
        let album = albums[choice % albums.count]
        guard state.objects[album]?.creation != nil else { return }
        if kind == .member, !assets.isEmpty {
            let asset = assets[choice % assets.count].id
            guard state.isAlive(asset) else { return }
            let value = RegisterValue.member(order: choice % 4 == 0 ? nil : [UInt8(choice % 200)])
            commit(index, [.set(album, RegisterKey(.member, .object(asset)), rank: 0, value)])
        } else if kind == .moveFolder {
            let parent = albums[(choice / 7) % albums.count]
            guard parent != album, !isBelow(parent, album, state) else { return }
            commit(index, [.set(album, RegisterKey(.parent), rank: 0, .parent(parent, order: []))])
        }
    }

    /// Tells whether a folder is inside another one on this computer, which it refuses to make.
    private func isBelow(_ id: CloudID, _ other: CloudID, _ state: LibraryState) -> Bool {
        var next: CloudID? = id
        for _ in 0..<10 {
            guard let current = next else { return false }
            if current == other { return true }
            guard
                case .parent(let parent, _) =
                    state.objects[current]?.registers[RegisterKey(.parent)]?.value
            else { return false }
            next = parent
        }
        return true
    }
}
