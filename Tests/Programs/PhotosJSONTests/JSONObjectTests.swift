import Foundation
import PhotosJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONObjectTests {
    @Test func valuesHaveTheirForm() {
        var object = JSONObject()
        #expect(object.line == "{}")
        object.add("text", "a")
        object.add("none", nil as String?)
        object.add("integer", 5)
        object.add("long", Int64.min)
        object.add("noInteger", nil as Int?)
        object.add("yes", true)
        object.add("no", false)
        object.add("whole", 3.0)
        object.add("half", 0.5)
        object.add("huge", 1e300)
        for (index, value) in [Double.nan, .infinity].enumerated() { object.add("\(index)", value) }
        object.add("noDouble", nil as Double?)
        object.add("date", Date(timeIntervalSince1970: 0))
        object.add("noDate", nil as Date?)
        object.add("texts", ["a", "b"])
        object.add("raw", json: "[1]")
        #expect(
            object.line == """
                {"text":"a","none":null,"integer":5,"long":-9223372036854775808,"noInteger":null,\
                "yes":true,"no":false,"whole":3,"half":0.5,"huge":1e+300,"0":null,"1":null,\
                "noDouble":null,"date":"1970-01-01T00:00:00Z","noDate":null,"texts":["a","b"],\
                "raw":[1]}
                """
        )
    }

    @Test func objectsAreNested() {
        var inner = JSONObject()
        inner.add("a", 1)
        var outer = JSONObject()
        outer.add("object", inner)
        outer.add("none", nil as JSONObject?)
        outer.add("list", [inner, JSONObject()])
        #expect(outer.line == #"{"object":{"a":1},"none":null,"list":[{"a":1},{}]}"#)
    }

    /// Every character is read again by Foundation.
    @Test func stringsAreEscaped() throws {
        let text =
            String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init))) + "👋/"
        var object = JSONObject()
        object.add(text, text)
        let found = try JSONSerialization.jsonObject(with: Data(object.line.utf8))
        #expect(found as? [String: String] == [text: text])
        #expect(JSONObject.quoted("a\"\\\n\r\t\u{1}/") == #""a\"\\\n\r\t\u0001/""#)
        #expect(!object.line.contains("\n"))
    }

    @Test(
        arguments: [
            (0.25, "1970-01-01T00:00:00.25Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
            (1e-7, "1970-01-01T00:00:00Z"), (0.000_001, "1970-01-01T00:00:00.000001Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"), (-86_400, "1969-12-31T00:00:00Z"),
        ]
    )
    func datesHaveMicroseconds(seconds: Double, text: String) {
        #expect(ISODate.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}
