internal import Foundation

/// A host as named in a request, with an optional port.
struct HostAndPort: Hashable, Sendable {
    /// The host in lowercase; an IPv6 address without its brackets.
    let host: String
    /// The port; nil for the default port of the scheme.
    let port: Int?

    /// Parses `host`, `host:port`, `[address]` or `[address]:port`; returns nil for any other text.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[..<end].dropFirst())
            guard host.contains(":"), ClientAddress(host) != nil else { return nil }
            rest = text[end...].dropFirst()
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<end])
            rest = text[end...]
        }
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        guard rest.removeFirst() == ":",
            rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(rest), (1...65_535).contains(number)
        else { return nil }
        port = number
    }

    /// Returns the port, or the scheme's given default port if no port is stated.
    func port(standard: Int) -> Int { port ?? standard }
}
