internal import CloudKeys
internal import CloudSync
internal import PhotoModel

/// What a session reports of changes and files that it cannot take over or upload.
extension SyncHost {
    /// Reports that a file of the library is damaged or cannot be read and is therefore not
    /// uploaded.
    func noteDamage(of content: ContentID) {
        damaged.insert(content)
        let hash = content.first.hexadecimal + content.second.hexadecimal
        note([
            "A file of this library is damaged and is not uploaded; photos verify --full names it."
                + " Its SHA-256 was \(hash)."
        ])
    }

    /// Reports that the store lacks a change of a device.
    func noteGap(of device: CloudID) {
        let text =
            "A change of the device “\(name(of: device))” is missing in the store; the later ones"
            + " wait. Bring the former content of the store back."
        if !report.alarms.contains(text) { report.alarms.append(text) }
    }

    private func name(of device: CloudID) -> String {
        machine.state.joined[device] ?? identity.members.certificates[device]?.name
            ?? device.hexadecimal
    }

    func note(_ alarm: SyncAlarm) {
        let text: String
        switch alarm {
        case .damagedSegment(let device):
            text =
                "A change of the device “\(name(of: device))” is damaged in the store; it and the"
                + " later ones wait."
        case .missingSegment:
            // The next poll may find it, so `poll(isShort:)` reports it.
            gaps.insert(alarm)
            return
        case .rolledBack:
            text = "The store is older than before, so nothing is written to it."
            fail(
                LibraryError(
                    .networkError,
                    "The store is older than what this device has seen of it.",
                    reason: "It was restored from a copy, or objects were deleted.",
                    recovery: "Bring its present content back. Nothing was merged or written."
                )
            )
        case .newIncarnation:
            text = "Another copy of this library has used its name; it continues as a new device."
        case .retired:
            text = "This device was retired by another one; it continues as a new device."
        }
        if !report.alarms.contains(text) { report.alarms.append(text) }
    }
}
