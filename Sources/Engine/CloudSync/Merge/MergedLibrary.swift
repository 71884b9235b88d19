/// An object as users see it: merged with its twins.
package struct MergedObject: Hashable, Sendable {
    package var creation: Creation
    package var contents: Set<ContentID>
    package var values: [RegisterKey: RegisterValue]

    package init(
        creation: Creation,
        contents: Set<ContentID>,
        values: [RegisterKey: RegisterValue]
    ) {
        self.creation = creation
        self.contents = contents
        self.values = values
    }
}

/// The whole library as users see it.
package struct MergedLibrary: Hashable, Sendable {
    package var objects: [CloudID: MergedObject] = [:]
    package var aliases: [CloudID: CloudID] = [:]
    package var parents: [CloudID: CloudID] = [:]

    package init(aliases: [CloudID: CloudID] = [:]) {
        self.aliases = aliases
    }
}

extension LibraryState {
    /// Returns the users' view of the library, which is derived from the registers.
    package func view() -> MergedLibrary {
        let aliases = aliases
        var classes: [CloudID: [(id: CloudID, object: CloudObject)]] = [:]
        for (id, object) in objects where object.creation != nil && !object.isPurged {
            classes[aliases[id] ?? id, default: []].append((id, object))
        }
        let merged = classes.mapValues { $0.count == 1 ? $0[0].object : TwinUnion.united($0) }
        var contents: [CloudID: Set<ContentID>] = [:]
        for (id, object) in objects where object.creation != nil && !object.isPurged {
            // Twins unite their originals by content.
            contents[aliases[id] ?? id, default: []].formUnion(
                object.creation?.originals.map(\.content) ?? []
            )
        }
        var view = MergedLibrary(aliases: aliases.filter { $0.key != $0.value })
        for (id, object) in merged {
            guard let creation = objects[id]?.creation else { continue }
            let isAlive = object.registers[RegisterKey(.existence)]?.value != .flag(false)
            guard creation.kind == .asset || isAlive else { continue }
            view.objects[id] = MergedObject(
                creation: creation,
                contents: contents[id] ?? [],
                values: values(of: object, aliases: aliases)
            )
        }
        view.parents = CollectionParents.parents(of: view, stamps: { merged[$0]?.registers })
        return view
    }

    /// Returns the values of an object's registers, with each album member replaced by its twins'
    /// representative.
    private func values(of object: CloudObject, aliases: [CloudID: CloudID])
        -> [RegisterKey: RegisterValue]
    {
        var registers: [RegisterKey: Register] = [:]
        for (key, register) in object.registers {
            var key = key
            if key.group == .member, case .object(let member) = key.item {
                // A purged asset is in no album.
                guard isAlive(member) else { continue }
                key.item = .object(aliases[member] ?? member)
            }
            if let other = registers[key], !register.supersedes(other) { continue }
            registers[key] = register
        }
        return registers.mapValues(\.value).filter { key, value in
            switch value {
            case .member(order: nil): false
            case .flag(false) where key.group == .keyword: false
            default: true
            }
        }
    }
}
