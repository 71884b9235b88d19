internal import Foundation
internal import ObjectStorage
internal import PhotoModel

/// A file with profiles, in the format of the AWS command-line interface.
///
///     [profile]
///     aws_access_key_id = …
///     aws_secret_access_key = …
///     aws_session_token = …
struct CredentialsFile {
    private let path: String
    private let profiles: [String: [String: String]]

    /// The maximum number of bytes that are read.
    private static let maximumSize = 1 << 20

    init(path: String) throws(LibraryError) {
        self.path = path
        let text: String
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let data = try handle.read(upToCount: Self.maximumSize) ?? Data()
            text = String(decoding: data, as: UTF8.self)
        } catch {
            throw LibraryError(
                .inputOutput,
                "The credentials file \(path) cannot be read.",
                reason: error.localizedDescription,
                recovery: "Correct its path or its permissions.",
                path: path
            )
        }
        profiles = Self.parse(text)
    }

    private static func parse(_ text: String) -> [String: [String: String]] {
        var profiles: [String: [String: String]] = [:]
        var profile = "default"
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                profile = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
                continue
            }
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            profiles[profile, default: [:]][key] = value
        }
        return profiles
    }

    /// Returns the credentials of a profile.
    func credentials(of profile: String) throws(LibraryError) -> S3Credentials {
        guard let values = profiles[profile] else {
            throw LibraryError(
                .invalidRequest,
                "The credentials file \(path) has no profile “\(profile)”.",
                recovery: "Add it, or name another one in AWS_PROFILE.",
                path: path
            )
        }
        guard let access = values["aws_access_key_id"],
            let secret = values["aws_secret_access_key"], !access.isEmpty, !secret.isEmpty
        else {
            throw LibraryError(
                .invalidRequest,
                "The profile “\(profile)” in \(path) has no keys.",
                reason: "aws_access_key_id or aws_secret_access_key is missing.",
                recovery: "Add both to the profile.",
                path: path
            )
        }
        return S3Credentials(
            accessKey: access,
            secretKey: secret,
            sessionToken: values["aws_session_token"]
        )
    }
}
