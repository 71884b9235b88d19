import Foundation
import ObjectStorage
import PhotoModel
import TestSupport
import Testing

@testable import CloudHost

@Suite(.timeLimit(.minutes(1))) struct CredentialsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-credentials") }

    private func file(_ text: String) throws -> CredentialsFile {
        try CredentialsFile(path: folder.write(Data(text.utf8), to: "credentials").path)
    }

    @Test func profilesAreRead() throws {
        let file = try file(
            """
            # a comment
            [default]
            aws_access_key_id=A
            aws_secret_access_key = S=with=signs
            [ other ]
              AWS_Access_Key_Id = B
              aws_secret_access_key = T
              aws_session_token = X
            """
        )
        let first = try file.credentials(of: "default")
        #expect(first.accessKey == "A" && first.secretKey == "S=with=signs")
        #expect(first.sessionToken == nil)
        let other = try file.credentials(of: "other")
        #expect([other.accessKey, other.secretKey, other.sessionToken] == ["B", "T", "X"])
    }

    @Test func mistakesNameTheFile() throws {
        let file = try file("[empty]\naws_access_key_id =\n")
        for profile in ["absent", "empty"] {
            let error = #expect(throws: LibraryError.self) {
                _ = try file.credentials(of: profile)
            }
            #expect(error?.message.contains(profile) == true)
            #expect(error?.path == folder.file("credentials").path)
        }
        let error = #expect(throws: LibraryError.self) {
            _ = try CredentialsFile(path: folder.file("missing").path)
        }
        #expect(error?.code == .inputOutput)
    }
}
