import Foundation
import LibraryService
import PhotoLibrary
import Testing
import WorkerProtocol

@Suite(.timeLimit(.minutes(1))) struct TakeoutPlanTests {
    private func file(
        _ path: String,
        _ facts: TakeoutFacts? = nil,
        source: Int = 0
    ) -> TakeoutFile {
        TakeoutFile(
            source: source,
            path: path,
            size: 10,
            place: .folder(path),
            reading: facts.map(TakeoutReading.facts)
        )
    }

    private func asset(_ title: String, taken: Int64? = 1) -> TakeoutFacts {
        var facts = TakeoutFacts(kind: .asset)
        facts.title = title
        facts.takenSeconds = taken
        return facts
    }

    private func album(_ title: String?) -> TakeoutFacts {
        var facts = TakeoutFacts(kind: .album)
        facts.title = title
        return facts
    }

    @Test func partsOfAFolderMeet() {
        let plan = TakeoutPlan(files: [
            file("Takeout/Google Photos/A/x.jpg", source: 0),
            file("Takeout/Google Photos/A/x.jpg.json", asset("x.jpg"), source: 1),
            file("Google Photos/A/x-edited.jpg", source: 2),
            file("Takeout 2/Google Photos/A/metadata.json", album("A: 1"), source: 3),
        ])
        #expect(plan.units.count == 1)
        #expect(plan.units.first?.items.map(\.file) == [0, 2])
        #expect(plan.units.first?.items.map(\.json) == [1, 1])
        #expect(plan.albums.map(\.title) == ["A: 1"])
        #expect(plan.lines.isEmpty)
    }

    @Test func everyFileIsInAUnitOrALine() {
        let plan = TakeoutPlan(files: [
            file("P/a.jpg"), file("P/a.jpg.json", asset("a.jpg")),
            file("P/lost.jpg.json", asset("lost.jpg")),
            file("P/other.json", TakeoutFacts(kind: .other)),
            file("P/metadata.json", album(nil)),
            TakeoutFile(
                source: 0,
                path: "P/bad.json",
                size: 1,
                place: .folder("P/bad.json"),
                reading: .failed(reason: "It is not valid JSON.")
            ),
        ])
        #expect(plan.units.map { $0.items.map(\.file) } == [[0]])
        let lines = Dictionary(
            uniqueKeysWithValues: plan.lines.map { ($0.line.path ?? "", $0.line) }
        )
        #expect(lines["P/lost.jpg.json"]?.outcome == .missing)
        #expect(lines["P/lost.jpg.json"]?.isLeading == true)
        #expect(lines["P/other.json"]?.outcome == .unsupported)
        #expect(lines["P/metadata.json"]?.notes.map(\.code) == ["untitledAlbum"])
        #expect(lines["P/bad.json"]?.outcome == .failed)
        #expect(plan.units[0].items[0].notes.isEmpty)
    }

    @Test func mediumElsewhereIsAMember() {
        let plan = TakeoutPlan(files: [
            file("Photos from 2020/a.jpg"), file("Photos from 2020/a.jpg.json", asset("a.jpg")),
            file("Trip/a.jpg.json", asset("a.jpg")), file("Trip/metadata.json", album("Trip")),
        ])
        #expect(plan.links.map(\.folder.path) == ["Trip"])
        #expect(plan.links.map(\.file) == [0])
        #expect(plan.lines.map(\.line.outcome) == [.paired])
    }

    /// The folders number equal titles on their own; the time tells the photo.
    @Test func memberIsFoundUnderAnotherNumber() {
        func plan(_ times: [Int64?], of member: Int64?) -> TakeoutPlan {
            var files = [
                file("Trip/IMG_1.jpg.json", asset("IMG_1.jpg", taken: member)),
                file("Trip/metadata.json", album("Trip")),
            ]
            for (index, time) in times.enumerated() {
                let number = index == 0 ? "" : "(\(index))"
                let facts = asset("IMG_1.jpg", taken: time)
                files.append(file("Photos from 2018/IMG_1\(number).jpg"))
                files.append(file("Photos from 2018/IMG_1.jpg\(number).json", facts))
            }
            return TakeoutPlan(files: files)
        }
        let found = plan([1_538_160_000, 1_538_260_000], of: 1_538_260_000)
        #expect(found.links.map(\.folder.path) == ["Trip"])
        #expect(found.links.map(\.file) == [4])
        #expect(found.lines.map(\.line.outcome) == [.paired])
        // Two photos of that time, one of another time, and one without a time.
        let ambiguous = plan([1, 2, 2], of: 2)
        #expect(ambiguous.links.isEmpty && ambiguous.lines.map(\.line.outcome) == [.missing])
        let other = plan([1, 2], of: 3)
        #expect(other.links.isEmpty && other.lines.map(\.line.outcome) == [.missing])
        let timeless = plan([1, nil], of: nil)
        #expect(timeless.links.isEmpty && timeless.lines.map(\.line.outcome) == [.missing])
    }

    @Test func yearsAreNoAlbums() {
        let plan = TakeoutPlan(files: [
            file("Photos from 2020/a.jpg"),
            file("Photos from 2020/metadata.json", album("Photos from 2020")),
            file("Photos from home/b.jpg"),
            file("Photos from home/metadata.json", album("Photos from home")),
        ])
        #expect(plan.albums.map(\.title) == ["Photos from home"])
    }

    @Test(arguments: [
        "Fotos von 2020", "Photos de 2020", "Fotos de 2020", "Fotos del 2020", "Foto da 2020",
    ])
    func yearsOfOtherLanguagesAreNoAlbums(_ name: String) {
        func titles(_ others: TakeoutFile...) -> [String] {
            TakeoutPlan(files: [file("P/\(name)/a.jpg")] + others).albums.map(\.title)
        }
        let same = file("P/\(name)/metadata.json", album(name))
        #expect(titles(same).isEmpty)
        // An album has another title, or is beside the folder of the year.
        #expect(titles(file("P/\(name)/metadata.json", album("Rome"))) == ["Rome"])
        #expect(titles(same, file("P/Photos from 2020/a.jpg")) == [name])
        #expect(titles(same, file("P/Photos from 2019/a.jpg")).isEmpty)
        let longer = name + " Rome"
        #expect(
            titles(file("P/\(longer)/a.jpg"), file("P/\(longer)/metadata.json", album(longer)))
                == [longer]
        )
    }

    @Test func formsOfAFileMayBeEqual() {
        func packed(_ size: Int64, crc: UInt32) -> TakeoutFile {
            let entry = ArchiveEntry(
                name: "P/a.jpg",
                size: size,
                crc: crc,
                modificationTime: nil,
                place: .zip(header: 0, length: size, isDeflated: false)
            )
            return TakeoutFile(source: 0, path: "P/a.jpg", size: size, place: .archive(entry))
        }
        var copy = file("P/a.jpg")
        copy.modificationTime = 5
        let zip = packed(10, crc: 1)
        #expect(copy.mayEqual(zip.fingerprint))
        #expect(zip.mayEqual(copy.fingerprint))
        #expect(copy.mayEqual(file("P/a.jpg").fingerprint))
        #expect(zip.mayEqual(zip.fingerprint))
        #expect(!zip.mayEqual(packed(10, crc: 2).fingerprint))
        #expect(!copy.mayEqual(packed(11, crc: 1).fingerprint))
        #expect(!copy.mayEqual([]))
    }

    /// What is recorded about unverified bytes equals no file, and may describe all of its size.
    @Test func unverifiedFilesAreComparedByTheirContent() {
        var tape = file("P/a.jpg")
        tape.modificationTime = 5
        tape.integrity = .unverified
        let recorded = tape.unverifiedFingerprint
        #expect(TakeoutFile.isUnverified(recorded))
        #expect(!TakeoutFile.isUnverified(tape.fingerprint) && !TakeoutFile.isUnverified([]))
        #expect(tape.fingerprint != recorded && tape.mayEqual(recorded))
        tape.size += 1
        #expect(!tape.mayEqual(recorded))
    }

    @Test func missingPartsAreNamed() {
        let names = (["001", "003", "005"]).map { "takeout-20240131T101112Z-\($0).zip" }
        #expect(
            TakeoutParts.missing(in: names + ["holiday.zip", "takeout-x.tgz"])
                == ["002", "004"].map { "takeout-20240131T101112Z-\($0).zip" }
        )
        #expect(TakeoutParts.missing(in: ["takeout-1-001.tgz"]).isEmpty)
        #expect(TakeoutParts.missing(in: ["takeout-1-99999.tgz"]).isEmpty)
    }
}
