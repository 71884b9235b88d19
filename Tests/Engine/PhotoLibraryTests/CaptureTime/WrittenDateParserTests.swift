import PhotoLibrary
import PhotoModel
import Testing
import WorkerProtocol

@Suite(.timeLimit(.minutes(2))) struct WrittenDateParserTests {
    @Test(
        "Dates as cameras and programs write them are read",
        arguments: [
            ("2023:06:01 10:00:00", "2023-06-01T10:00:00", nil),
            ("2023-06-01 10:00:00", "2023-06-01T10:00:00", nil),
            ("2023/06/01 10:00:00", "2023-06-01T10:00:00", nil),
            ("2023-06-01T10:00:00+02:00", "2023-06-01T10:00:00", 7_200),
            ("2023:06:01 10:00", "2023-06-01T10:00:00", nil),
            ("2023:06:01", "2023-06-01T00:00:00", nil),
            ("2024:04:22 14:38:09.526GMT+02:00", "2024-04-22T14:38:09.526", 7_200),
            ("2024-04-22T14:38:09GMT+2", "2024-04-22T14:38:09", 7_200),
            ("2023:07:15 12:30:45Z", "2023-07-15T12:30:45", 0),
            ("2023:07:15 12:30:45 -0330", "2023-07-15T12:30:45", -12_600),
            ("2023:07:15 12:30:45.007", "2023-07-15T12:30:45.007", nil),
            ("2023:07:15 12:30:45.000", "2023-07-15T12:30:45", nil),
            ("2023:07:15 12:30:45+25:00", "2023-07-15T12:30:45", nil),
            ("2023:06:01 10:00:60", "2023-06-01T10:00:60", nil),
        ] as [(String, String, Int?)]
    )
    func readsDates(text: String, wallTime: String, offset: Int?) throws {
        let result = try #require(WrittenDateParser.parse(text))
        #expect(result.wallTime.text == wallTime)
        #expect(result.offset == offset)
        #expect(result.wallTime.isPlausible)
    }

    @Test(
        "What is no date is not taken for one",
        arguments: [
            "", "hello world", ":  :     :  :", "20230601 100000", "2023", "2023:06", "    ",
            "2023:06:01 10", "99999:01:01 00:00:00", "\u{0}\u{0}", "２０２３:06:01 10:00:00",
        ]
    )
    func refusesOtherText(text: String) {
        #expect(WrittenDateParser.parse(text) == nil)
    }

    @Test(
        "Impossible dates and the zeros of unset clocks are not plausible",
        arguments: [
            "0000:00:00 00:00:00", "2023:02:30 10:00:00", "2023:13:01 10:00:00",
            "2023:06:01 24:00:00", "2023:06:31 10:00:00", "2023:06:01 10:60:00",
            "2023:06:01 10:00:61", "0001:01:01 00:00:00", "1601:06:06 16:39:33",
            "1904:01:01 00:00:00", "1970:01:01 00:00:00", "9999:12:31 23:59:59",
            "2023:02:29 00:00:01", "1900:02:29 00:00:01",
        ]
    )
    func tellsImpossibleDates(text: String) throws {
        #expect(try #require(WrittenDateParser.parse(text)).wallTime.isPlausible == false)
    }

    @Test(
        "Odd dates that can be are plausible",
        arguments: [
            "1955:05:05 05:05:05", "2038:01:19 03:14:08", "2024:02:29 23:59:59",
            "1904:01:01 00:00:01", "1970:01:01 00:00:01", "2000:02:29 00:00:00",
        ]
    )
    func believesOddDates(text: String) throws {
        #expect(try #require(WrittenDateParser.parse(text)).wallTime.isPlausible)
    }

    @Test("Fraction and offset come from their own fields, and bad ones are dropped")
    func readsFields() throws {
        var date = WrittenDate(
            source: .exifOriginal,
            text: "2023:07:15 12:30:45",
            subseconds: "123456 ",
            offset: "+05:45"
        )
        #expect(WrittenDateParser.parse(date)?.wallTime.text == "2023-07-15T12:30:45.123456")
        #expect(WrittenDateParser.parse(date)?.offset == 20_700)
        date.subseconds = "abc"
        date.offset = "   :  "
        #expect(WrittenDateParser.parse(date)?.wallTime.text == "2023-07-15T12:30:45")
        #expect(WrittenDateParser.parse(date)?.offset == nil)
        date.offset = "+02:00x"
        #expect(WrittenDateParser.parse(date)?.offset == nil)
    }
}
