import Foundation
import PhotoLibrary
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(2))) struct WallTimeTests {
    @Test("Days agree with Foundation's calendar, and come back, on every day of five centuries")
    func countsDays() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -140_000, through: 84_000, by: 97) {
            let time = WallTime(secondsSince1970: Double(day) * 86_400 + 45_296)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
            )
            #expect(
                [time.year, time.month, time.day, time.hour, time.minute, time.second] == [
                    parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second,
                ]
            )
            #expect(time.wholeSecondsSince1970 == day * 86_400 + 45_296)
        }
    }

    @Test("A fraction survives, also before 1970")
    func keepsFractions() {
        #expect(WallTime(secondsSince1970: -0.25).text == "1969-12-31T23:59:59.750")
        #expect(WallTime(secondsSince1970: 0.5).secondsSince1970 == 0.5)
        #expect(WallTime(secondsSince1970: -462_481_495.0).text == "1955-05-07T04:55:05")
    }
}
