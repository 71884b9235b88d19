import ArgumentParser
import Foundation
import PhotosManagement

/// The option that specifies the source of the bucket's credentials.
struct CredentialsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with credentials in the form of ~/.aws/credentials.",
            discussion:
                "$AWS_PROFILE names the profile. Default: $AWS_ACCESS_KEY_ID and"
                + " $AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials.",
            valueName: "file"
        ),
        completion: .file()
    )
    var credentialsFile: String?

    func validate() throws {
        if let credentialsFile { try TextPath.check(credentialsFile) }
    }

    /// Returns the credentials that the option or environment variables specify.
    func resolve() throws -> CloudLibrary.Credentials {
        let environment = ProcessInfo.processInfo.environment
        let profile = environment["AWS_PROFILE"]
        if credentialsFile == nil, profile == nil, let access = environment["AWS_ACCESS_KEY_ID"],
            let secret = environment["AWS_SECRET_ACCESS_KEY"]
        {
            return .keys(
                access: access,
                secret: secret,
                token: environment["AWS_SESSION_TOKEN"]
            )
        }
        let file =
            credentialsFile ?? environment["AWS_SHARED_CREDENTIALS_FILE"]
            ?? (environment["HOME"] ?? "") + "/.aws/credentials"
        guard FileManager.default.fileExists(atPath: file) else {
            throw ValidationError(
                "There are no credentials for the bucket. Set AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, or use --credentials-file."
            )
        }
        return .profile(name: profile ?? "default", file: URL(filePath: file))
    }
}
