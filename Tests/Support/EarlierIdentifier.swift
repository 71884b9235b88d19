import Foundation

/// Identifiers of Photos 3 and 4.
package enum EarlierIdentifier {
    /// Returns the UUID of an identifier in base64, where `%` stands for `/`; others stay as they
    /// are.
    package static func canonical(_ identifier: String) -> String {
        guard identifier.count == 22 else { return identifier }
        let text = identifier.replacingOccurrences(of: "%", with: "/") + "=="
        guard let data = Data(base64Encoded: text), data.count == 16 else { return identifier }
        let hexadecimal = data.map { String(format: "%02X", $0) }.joined()
        var result = ""
        for (index, digit) in hexadecimal.enumerated() {
            if [8, 12, 16, 20].contains(index) { result += "-" }
            result.append(digit)
        }
        return result
    }
}
