extension ChangeAction {
    /// The files of the action.
    package var resources: [ResourceCreation] {
        switch self {
        case .createAsset(let creation):
            creation.resources + (creation.content?.renderings ?? [])
        case .editContent(_, let edit): edit.renderings
        default: []
        }
    }

    /// Replaces the tokens of the action's files with the results of `transform`.
    mutating func mapTokens(_ transform: (FileToken) -> FileToken) {
        switch self {
        case .createAsset(var creation):
            creation.resources.mapTokens(transform)
            creation.content?.renderings.mapTokens(transform)
            self = .createAsset(creation)
        case .editContent(let uuid, var edit):
            edit.renderings.mapTokens(transform)
            self = .editContent(uuid: uuid, edit)
        default: break
        }
    }
}

extension [ResourceCreation] {
    fileprivate mutating func mapTokens(_ transform: (FileToken) -> FileToken) {
        for index in indices { self[index].file = transform(self[index].file) }
    }
}
