internal import LibraryService
internal import PhotoModel

/// A reply that can contain absolute paths of this computer.
///
/// A test checks that each reply with a text that is not content of the library conforms to this
/// protocol.
protocol ConcealingPaths {
    /// Removes absolute paths from the reply.
    mutating func conceal(_ paths: ConcealedPaths)
}

extension Array: ConcealingPaths where Element: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        for index in indices { self[index].conceal(paths) }
    }
}

extension Optional: ConcealingPaths where Wrapped: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { self?.conceal(paths) }
}

extension LibraryError: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { self = paths.error(self) }
}

// MARK: - The library and its permission

extension LibraryStatus: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        path = nil
        readOnlyReason = readOnlyReason.map(paths.text)
        missingChanges.conceal(paths)
    }
}

extension AuthorizationStatusReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        refusal.conceal(paths)
        hiddenRefusal.conceal(paths)
    }
}

extension AuthorizationReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { remark = remark.map(paths.text) }
}

extension VerifyReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { findings.conceal(paths) }
}

extension Finding: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        message = paths.text(message)
        advice = paths.text(advice)
        path = paths.path(path.map(paths.text))
    }
}

// MARK: - Files and images

extension ImageReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        path = nil
        damage.conceal(paths)
    }
}

extension ReadyImagesReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { answers.conceal(paths) }
}

extension ReadyImage: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        switch self {
        case .unready: break
        case .failed(let error): self = .failed(paths.error(error))
        case .rendition(var image):
            image.path = nil
            self = .rendition(image)
        }
    }
}

extension ImageDataReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { path = nil }
}

extension MovieDataReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { path = nil }
}

extension RenditionStatusReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { path = nil }
}

extension RenditionBuildReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        for index in failures.indices { failures[index].error.conceal(paths) }
    }
}

// MARK: - Imports

extension ImportOutcome: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        reason = reason.map(paths.text)
        notes.conceal(paths)
    }
}

extension KnownFilesReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { outcomes.conceal(paths) }
}

extension ImportFilesReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { outcomes.conceal(paths) }
}

extension RefreshReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        for index in outcomes.indices {
            outcomes[index].reason = outcomes[index].reason.map(paths.text)
        }
    }
}

extension MigrationNote: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { text = paths.text(text) }
}

extension MigrationLine: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        reason = reason.map(paths.text)
        notes.conceal(paths)
    }
}

extension MigrationBeginReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) { notes.conceal(paths) }
}

extension MigrationStepReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        lines.conceal(paths)
        totals.notes.conceal(paths)
    }
}

extension TakeoutStepReply: ConcealingPaths {
    mutating func conceal(_ paths: ConcealedPaths) {
        for index in lines.indices { lines[index].line.conceal(paths) }
        totals.notes.conceal(paths)
    }
}
