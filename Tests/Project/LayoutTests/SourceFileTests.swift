import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct SourceFileTests {
    private func file(_ text: String) -> SourceFile {
        SourceFile(url: URL(fileURLWithPath: "/a.swift"), text: text)
    }

    @Test func importsOfEveryFormAreSeen() {
        let text = """
            import Foundation
            package import PhotoModel
            @_exported public import PhotosCompanions
            internal import struct GRDB.Row
            @testable import Photos
              import Glibc // libc
            """
        #expect(
            file(text).imports == [
                "Foundation", "PhotoModel", "PhotosCompanions", "GRDB", "Photos", "Glibc",
            ]
        )
    }

    @Test func wordsInCommentsAndTextAreNoCode() {
        let text = """
            // import GRDB
            /* import GRDB /* public */
            import GRDB */
            let text = "import GRDB; public \\" open"
            let more = \"\"\"
                import GRDB
                public
                \"\"\"
            """
        #expect(file(text).imports.isEmpty)
        #expect(file(text).publicLines.isEmpty)
    }

    @Test func publicIsSeenWhereItIsDeclared() {
        let text = "struct A {\n    public let b = 1\n    @inline(never) open func c() {}\n}\n"
        #expect(file(text).publicLines == [2, 3])
        #expect(file("let a = open(path, O_RDONLY)").publicLines == [])
    }

    @Test func upwardAndSidewaysImportsAreForbidden() {
        #expect(ImportTable.forbidden(["Photos"], in: "PhotoLibrary") == ["Photos"])
        #expect(ImportTable.forbidden(["RenditionCodec"], in: "WorkerClient") == ["RenditionCodec"])
        #expect(ImportTable.forbidden(["GRDB", "Glibc"], in: "Photos") == ["GRDB"])
        #expect(ImportTable.forbidden(["PhotoLibrary"], in: "PhotosCLI") == ["PhotoLibrary"])
        #expect(ImportTable.forbidden(["PhotoModel"], in: "NewTarget") == ["PhotoModel"])
        #expect(ImportTable.forbidden(["GRDB", "Foundation"], in: "PhotoLibrary").isEmpty)
    }

    @Test func theTableHasNoCycle() {
        // A target that can be reached from itself would be above itself.
        for target in ImportTable.rows.keys {
            var seen: Set<String> = []
            var next = ImportTable.rows[target] ?? []
            while let module = next.popFirst() {
                guard seen.insert(module).inserted else { continue }
                next.formUnion(ImportTable.rows[module] ?? [])
            }
            #expect(!seen.contains(target), "\(target) reaches itself.")
        }
    }
}
