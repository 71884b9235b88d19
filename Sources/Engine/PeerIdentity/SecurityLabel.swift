/// The security label of a process, as reported by SO_PEERSEC.
enum SecurityLabel: Hashable {
    /// The name of a snap, from its AppArmor profile.
    case snap(String)
    /// An enforced AppArmor profile or a confined SELinux type.
    case profile(String)

    /// Parses a label; nil if no profile confines the process.
    init?(_ label: String) {
        let text = label.split(separator: "\0", maxSplits: 1).first.map(String.init) ?? ""
        // AppArmor: `profile (mode)`. Only `enforce` and `kill` stop a process.
        if text.hasSuffix(")"), let mark = text.lastIndex(of: "(") {
            let mode = text[mark...]
            guard mode == "(enforce)" || mode == "(kill)" else { return nil }
            let profile = text[..<mark].trimmed
            guard !profile.isEmpty, profile != "unconfined" else { return nil }
            let parts = profile.split(separator: ".", omittingEmptySubsequences: false)
            if parts.count >= 3, parts[0] == "snap", !parts[1].isEmpty {
                self = .snap(String(parts[1]))
            } else {
                self = .profile(profile)
            }
            return
        }
        // SELinux: `user:role:type:level`. Types of people's ordinary sessions confine nothing.
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count >= 3, !fields[2].isEmpty, !fields[2].hasPrefix("unconfined") else {
            return nil
        }
        self = .profile(String(fields[2]))
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
