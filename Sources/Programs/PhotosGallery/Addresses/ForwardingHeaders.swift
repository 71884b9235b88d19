internal import HTTPTypes

/// The client, host and scheme that a proxy reports in `Forwarded`, or in `X-Forwarded-For`,
/// `-Host` and `-Proto`.
///
/// Each proxy appends its values, so only the last ones come from the proxy on this machine. The
/// client itself may have sent the earlier ones.
struct ForwardingHeaders: Sendable {
    /// The client that connected to the proxy; nil if the header omits or obfuscates the address.
    private(set) var client: ClientAddress?
    /// The host that the client requested.
    private(set) var host: String?
    /// The scheme that the client used, `http` or `https`.
    private(set) var scheme: String?
    /// `true` if the request has no forwarding headers.
    let isEmpty: Bool

    /// Parses the forwarding headers of a request.
    ///
    /// - Throws: ``RequestError`` when a quoted string is not closed, or when `Forwarded` and
    ///   `X-Forwarded-For` name different clients. In that case the proxy did not set one of them.
    init(_ headers: HTTPFields) throws {
        let all = Self.list(headers, "Forwarded")
        guard let elements = Self.split(all ?? "", at: ",") else {
            throw RequestError.badRequest("The Forwarded header has an unterminated quoted string.")
        }
        let standard = elements.last.map(Self.pairs) ?? [:]
        let clients = [standard["for"], Self.last(headers, "X-Forwarded-For")]
            .compactMap { $0 }.map(Self.address)
        guard clients.count < 2 || clients[0] == clients[1] else {
            throw RequestError.badRequest(
                "Forwarded and X-Forwarded-For name different clients. The proxy must set both, or"
                    + " remove the one that it does not set."
            )
        }
        client = clients.first ?? nil
        host = standard["host"] ?? Self.last(headers, "X-Forwarded-Host")
        scheme = (standard["proto"] ?? Self.last(headers, "X-Forwarded-Proto"))?.lowercased()
        isEmpty =
            all == nil
            && ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"]
                .allSatisfy { Self.list(headers, $0) == nil }
    }

    /// Joins all values of a header into one list; returns nil if the header is absent.
    private static func list(_ headers: HTTPFields, _ name: String) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = headers[values: name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// Returns the last element of a header's comma-separated list, without support for quoted
    /// elements.
    private static func last(_ headers: HTTPFields, _ name: String) -> String? {
        list(headers, name).map { list in
            let end = list.utf8.lastIndex(of: UInt8(ascii: ",")).map(list.utf8.index(after:))
            return trimmed(list[(end ?? list.startIndex)...])
        }
    }

    /// Returns the parameters of a `Forwarded` element, by lowercase name.
    private static func pairs(_ element: Substring) -> [String: String] {
        var pairs: [String: String] = [:]
        for part in split(element, at: ";") ?? [] {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            pairs[trimmed(sides[0]).lowercased()] = unquoted(trimmed(sides[1]))
        }
        return pairs
    }

    /// Splits text at separators outside of quoted strings; returns nil if a quoted string is not
    /// closed.
    ///
    /// It iterates over scalars, since some combining scalars form one character with the
    /// separator.
    private static func split(
        _ text: some StringProtocol,
        at separator: Unicode.Scalar
    ) -> [Substring]? {
        let text = Substring(text)
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.unicodeScalars.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var isEscaped = false
        return String(
            text.dropFirst().dropLast().filter { character in
                if character == "\\", !isEscaped {
                    isEscaped = true
                    return false
                }
                isEscaped = false
                return true
            }
        )
    }

    /// Parses an address with an optional port.
    ///
    /// An IPv6 address with a port is in brackets.
    private static func address(_ text: String) -> ClientAddress? {
        ClientAddress(text) ?? HostAndPort(text).flatMap { ClientAddress($0.host) }
    }
}
