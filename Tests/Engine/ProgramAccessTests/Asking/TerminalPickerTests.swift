import ProgramAccess
import Testing

@Suite(.timeLimit(.minutes(2))) struct TerminalPickerTests {
    private func made(_ count: Int, selected: Set<Int> = []) -> TerminalPicker {
        let assets = (0..<count).map { index in
            SelectableAsset(
                uuid: "U\(index + 1)",
                name: "IMG_\(index + 1)\u{1B}.HEIC",
                date: "2024-05-01",
                isSelected: selected.contains(index + 1)
            )
        }
        let program = ProgramIdentity(identifier: "org.example.A")
        let question = SelectionQuestion(program: program, assets: assets)
        return TerminalPicker(question: question, pageLength: 5)
    }

    @Test func numbersAndRangesToggle() {
        var picker = made(12, selected: [2])
        #expect(picker.take("1 3-4,12") == .more)
        #expect(picker.selected == ["U1", "U2", "U3", "U4", "U12"])
        #expect(picker.take("2") == .more)
        #expect(picker.selected == ["U1", "U3", "U4", "U12"])
        #expect(picker.take("D") == .done)
    }

    @Test(arguments: ["0", "13", "4-3", "1-2-3", "x", "1 x", "-", "1-", "99999999999999999999"])
    func whatIsNotUnderstoodChangesNothing(_ line: String) {
        var picker = made(12, selected: [2])
        #expect(picker.take(line) == .more)
        #expect(picker.selected == ["U2"])
        #expect(picker.text.contains("is not understood"))
    }

    @Test func pagesTurn() {
        var picker = made(12)
        #expect(picker.text.contains("IMG_1\u{FFFD}.HEIC"))
        #expect(picker.take("p") == .more)
        #expect(picker.take("n") == .more)
        #expect(picker.text.contains("IMG_6"))
        #expect(picker.take("n") == .more)
        #expect(picker.take("n") == .more)
        #expect(picker.text.contains("IMG_12"))
        #expect(picker.take("q") == .cancelled)
    }

    @Test func anEmptyLibraryIsSaid() {
        var picker = made(0)
        #expect(picker.text.contains("no photos yet"))
        #expect(picker.take("1") == .more)
        #expect(picker.selected.isEmpty)
    }
}
