import Foundation
import Testing

@testable import PhotosGallery

/// Addresses of clients and of this machine, and hosts in requests.
@Suite(.timeLimit(.minutes(2))) struct ClientAddressTests {
    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
            ("2001:DB8:0:1::7", "2001:db8:0:1::7", "2001:db8:0:1::"),
            (
                "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1:ffff:ffff:ffff:ffff",
                "2001:db8:0:1::"
            ),
            ("fe80::1%eth0", "fe80::1", "fe80::"), ("::1", "::1", "::"),
        ]
    ) func anAddressCountsAsItsNetwork(text: String, description: String, network: String) throws {
        let address = try #require(ClientAddress(text))
        #expect(address.description == description)
        #expect(address.network.description == network)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.256", "1.2.3.4:80", "[::1]", "::g", "example.org", "0x7f.1",
    ])
    func otherTextsAreNone(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test func onlyTheLoopbackIsThisMachine() throws {
        for text in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"] {
            #expect(try #require(ClientAddress(text)).isOfThisMachine, "\(text)")
        }
        for text in [
            "128.0.0.1", "0.0.0.0", "::", "::2", "::ffff:128.0.0.1", "7f00::1", "10.0.0.1",
        ] {
            #expect(try !#require(ClientAddress(text)).isOfThisMachine, "\(text)")
        }
        #expect(ClientAddress.ofThisMachine.isOfThisMachine)
    }

    @Test func linksHaveAddressesThatBrowsersCanUse() throws {
        for text in ["192.168.1.2", "10.0.0.1", "2001:db8::1", "fd12:3456::1"] {
            #expect(try #require(ClientAddress(text)).isReachable, "\(text)")
        }
        for text in ["127.0.0.1", "169.254.3.4", "::1", "fe80::1", "ff02::1", "::"] {
            #expect(try !#require(ClientAddress(text)).isReachable, "\(text)")
        }
        #expect(ClientAddress("fd12::1")?.inLinks == "[fd12::1]")
        #expect(ClientAddress("10.0.0.1")?.inLinks == "10.0.0.1")
    }

    @Test(
        arguments: [
            ("Example.org", "example.org", nil), ("example.org:81", "example.org", 81),
            ("[2001:db8::1]", "2001:db8::1", nil), ("[2001:db8::1]:443", "2001:db8::1", 443),
        ] as [(String, String, Int?)]
    ) func hostsAreTakenApart(text: String, host: String, port: Int?) throws {
        let found = try #require(HostAndPort(text))
        #expect(found.host == host)
        #expect(found.port == port)
    }

    @Test(
        arguments: [
            "", ":80", "example.org:", "example.org:0", "example.org:65536", "example.org:+80",
            "example.org:8a", "[::1", "[::1]80", "[1.2.3.4]", "[example.org]", "[]", "2001:db8::1",
            "example.org:80:80", "example.org:\u{664}", "[::80]80",
        ]
    ) func otherHostsAreNone(text: String) {
        #expect(HostAndPort(text) == nil)
    }
}
