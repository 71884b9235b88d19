import FoundationEssentials
import ObjectStorage
import StoreClients
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoreDateTests {
    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 24 Nov 2026 14:00:00 GMT", 1_795_528_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func readsHTTPDates(_ text: String, _ seconds: Int) {
        #expect(StoreDate.fromHTTP(text)?.timeIntervalSince1970 == Double(seconds))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37 CET", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Non 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func otherTextIsNoHTTPDate(_ text: String) {
        #expect(StoreDate.fromHTTP(text) == nil)
    }

    @Test func readsDatesOfListings() {
        let seconds = 1_255_369_830.0
        for text in ["2009-10-12T17:50:30.000Z", "2009-10-12T17:50:30Z", "2009-10-12T17:50:30.5Z"] {
            #expect(StoreDate.fromListing(text)?.timeIntervalSince1970 == seconds)
        }
        for text in [
            "2009-10-12", "2009-13-12T17:50:30Z", "2009-10-12T17:50:30", "09-10-12T1:1:1Z",
        ] {
            #expect(StoreDate.fromListing(text) == nil)
        }
    }

    @Test func datesOfSignaturesReadBack() throws {
        // Days of four centuries, at changing times.
        for day in stride(from: 0, to: 146_097, by: 29) {
            let date = Date(timeIntervalSince1970: Double(day * 86_400 + day * 7919 % 86_400))
            let text = StoreDate.signing(date)
            let dashed =
                "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6).prefix(3))"
            let clock = text.dropFirst(9)
            let listed =
                "\(dashed)\(clock.prefix(2)):\(clock.dropFirst(2).prefix(2)):\(clock.dropFirst(4))"
            #expect(StoreDate.fromListing(listed) == date, "\(text)")
        }
    }

    @Test func wildClocksDoNotTrap() {
        for seconds in [-1e300, 1e300, -.infinity, .infinity, .nan] as [Double] {
            let text = StoreDate.signing(Date(timeIntervalSince1970: seconds))
            #expect(text.utf8.count == 16)
        }
    }
}
