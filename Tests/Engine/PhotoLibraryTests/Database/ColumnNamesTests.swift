import PhotoModel
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct ColumnNamesTests {
    private func place(of name: String, in names: ColumnNames) -> Int? {
        Array(name.utf8).withUnsafeBufferPointer { names.place(of: $0) }
    }

    @Test func eachColumnIsFound() {
        let columns = AssetRecord.map.columns.map(\.name)
        let names = ColumnNames(columns)
        for (index, column) in columns.enumerated() {
            #expect(place(of: column, in: names) == index)
            #expect(place(of: column + "s", in: names) == nil)
            #expect(place(of: String(column.reversed()), in: names) == nil)
        }
        #expect(place(of: "", in: names) == nil)
    }

    @Test func namesWithEqualHashesAreFound() {
        // The hash depends on the first, the middle and the last letter.
        let columns = ["abcde", "axcxe", "aycye"]
        let names = ColumnNames(columns)
        for (index, column) in columns.enumerated() {
            #expect(place(of: column, in: names) == index)
        }
        #expect(place(of: "azcze", in: names) == nil)
    }
}
