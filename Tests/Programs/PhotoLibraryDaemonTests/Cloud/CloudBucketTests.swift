import Foundation
import SamplePhotos
import StoreFixture
import TestSupport
import Testing

/// A cloud library in a bucket of a real service: Ceph's gateway.
@Suite(
    .enabled(if: CephGateway.isAvailable, Comment(rawValue: CephGateway.explanation)),
    .timeLimit(.minutes(5))
) struct CloudBucketTests {
    @Test func twoComputersShareABucket() async throws {
        let settings = try await CephGateway.shared.settings()
        let cloud = try CloudHomes(2)
        let source = try cloud[0].drawPhotos("a.jpg", "b.jpg", "c.jpg", side: 900)
        try cloud[0].succeed("import", source, daemon: "0")
        let address = "s3://\(settings.bucket)/command-\(UUID().uuidString.lowercased())"
        let credentials = """
            [default]
            aws_access_key_id = wrong
            aws_secret_access_key = wrong
            [photos]
            aws_access_key_id = photos-access
            aws_secret_access_key = photos-secret
            """
        for home in cloud.homes {
            try home.folder.write(Data(credentials.utf8), to: ".aws/credentials")
        }
        func photos(_ index: Int, profile: String, _ arguments: String...) throws
            -> ProcessRunner.Output
        {
            try cloud[index].run(
                "/usr/bin/env",
                ["AWS_PROFILE=\(profile)", BuiltProducts.photos.path] + arguments,
                daemon: nil
            )
        }
        let options = ["--endpoint", settings.endpoint, "--region", settings.region]
        let refused = try photos(
            0,
            profile: "default",
            "cloud",
            "create",
            address,
            options[0],
            options[1],
            options[2],
            options[3]
        )
        #expect(refused.status == 1 && !refused.errorText.contains("photos-secret"))
        let made = try photos(
            0,
            profile: "photos",
            "cloud",
            "create",
            address,
            options[0],
            options[1],
            options[2],
            options[3],
            "--json"
        )
        #expect(made.status == 0, "\(made.errorText)")
        let code = try #require(try CloudHomes.object(made.text)["recoveryCode"] as? String)
        try cloud[1].folder.write(Data(code.utf8), to: "secret")
        let joined = try photos(
            1,
            profile: "photos",
            "cloud",
            "join",
            address,
            options[0],
            options[1],
            options[2],
            options[3],
            "--passphrase-file",
            cloud[1].folder.file("secret").path
        )
        #expect(joined.status == 0, "\(joined.errorText)")
        // The profile is stored, so later commands need no variable.
        try cloud.sync()
        try cloud.expectEqual()
        try cloud.verify(1)
        try cloud[1].succeed("cloud", "verify", "--sample", "100", daemon: nil)
    }

    /// Keys from variables replace a profile, under a running daemon, only if they work.
    @Test func credentialsAreReplaced() async throws {
        let settings = try await CephGateway.shared.settings()
        let cloud = try CloudHomes(1)
        try cloud.use(settings)
        try cloud[0].succeed("import", cloud[0].drawPhotos("a.jpg"), daemon: "0")
        _ = try cloud.create()
        try cloud[0].startDaemon("--cloud-scale", "0.01")
        func credentials(access: String, secret: String) throws -> ProcessRunner.Output {
            try cloud[0].run(
                "/usr/bin/env",
                [
                    "AWS_ACCESS_KEY_ID=" + access, "AWS_SECRET_ACCESS_KEY=" + secret,
                    BuiltProducts.photos.path, "cloud", "credentials", "--json",
                ],
                daemon: nil
            )
        }
        let wrong = try credentials(access: "photos-access", secret: "wrong-secret")
        #expect(wrong.status == 1 && !wrong.errorText.contains("wrong-secret"))
        try cloud[0].succeed("cloud", "sync", "--once", daemon: nil)
        let replaced = try credentials(access: "photos-access", secret: "photos-secret")
        #expect(replaced.status == 0, "\(replaced.errorText)")
        #expect(try CloudHomes.object(replaced.text)["address"] as? String == cloud.address)
        // The profile is not read any more.
        try FileManager.default.removeItem(at: cloud.folder.file("credentials"))
        try cloud[0].succeed("cloud", "sync", "--once", daemon: nil)
        try cloud[0].succeed("cloud", "verify", "--sample", "100", daemon: nil)
    }
}
