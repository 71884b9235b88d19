/// Pairs the JSON files of a Takeout folder with its photos and movies, mainly by their names.
///
/// Has no side effects. A JSON may belong to several media: an original, its edited copy and the
/// movie of a Live Photo. See `Docs/google-takeout.md` for the rules in the words of users.
package struct TakeoutMatcher: Sendable {
    /// The rule by which a photo or movie was paired with a JSON file.
    package enum Rule: String, Sendable, CaseIterable {
        /// The JSON file has the name of the photo or movie.
        case own
        /// The number in parentheses in the file's name is part of the title; Google did not add it
        /// to distinguish files of the same name.
        case numberOfTitle
        /// The file is an edited copy of another file in the folder.
        case edited
        /// The file is the movie of a Live Photo, and uses the JSON file of the still.
        case movieHalf
        /// The file has a number in parentheses but no JSON file of its own; it uses that of the
        /// file without the number.
        case forgottenDuplicate
    }

    /// The JSON file and the partner file that belong to a photo or movie.
    package struct Match: Hashable, Sendable {
        /// The index of the JSON file; nil if the file should use its partner's JSON file, but the
        /// partner has none.
        package var json: Int?
        package var rule: Rule
        /// The index of the original of an edited copy, or of the picture of a movie; nil if the
        /// folder does not contain it.
        package var partner: Int?
        /// Indicates whether the pairing is guessed from Google's usual file names.
        package var isGuessed: Bool

        package init(json: Int?, rule: Rule, partner: Int? = nil, isGuessed: Bool = false) {
            self.json = json
            self.rule = rule
            self.partner = partner
            self.isGuessed = isGuessed
        }
    }

    /// The export part that contains each file, in file order; empty for an export with a single
    /// part.
    package struct Sources: Sendable {
        package var jsons: [Int]
        package var media: [Int]

        package init(jsons: [Int] = [], media: [Int] = []) {
            self.jsons = jsons
            self.media = media
        }

        /// Indicates whether a photo or movie is in the same part as a JSON file; true if the parts
        /// are not known.
        func areEqual(_ medium: Int, _ json: Int) -> Bool {
            guard media.indices.contains(medium), jsons.indices.contains(json) else { return true }
            return media[medium] == jsons[json]
        }
    }

    /// The suffixes that Google adds to the name of an edited copy, depending on the account's
    /// language.
    static let editedWords = [
        "edited", "bearbeitet", "modifié", "ha editado", "editado", "bewerkt", "edytowane",
        "modificato", "editat", "muokattu", "編集済み", "编辑", "已修改", "已編輯", "измененный",
        "düzenlendi",
    ].map { TakeoutText("-" + $0) }

    /// The suffixes in the names of pictures that Google creates, such as collages.
    ///
    /// These are separate assets and not edited copies.
    static let creations: Set<String> = [
        "effects", "collage", "animation", "motion", "mix", "smile",
    ]

    private let jsonNames: [TakeoutJSONName]
    /// The titles in the JSON files, with characters replaced as in the file names that Google
    /// derives from them; nil for JSON files without a title.
    private let titles: [TakeoutText?]
    private let order: [Int]
    private let mediaNames: [TakeoutMediaName]
    private let wholeNames: [TakeoutText]
    private let sources: Sources
    private var exact: [Key: [Int]] = [:]
    private var ignoringCase: [Key: [Int]] = [:]
    private var cut: [Key: [Int]] = [:]
    private var shortestCut = Int.max
    /// The base names of the JSON files whose names contain a number.
    private var numberedBases: Set<TakeoutText> = []

    private struct Key: Hashable {
        var base: TakeoutText
        var number: Int
    }

    /// Creates a matcher for the files of one folder.
    ///
    /// - Parameters:
    ///   - jsons: The names of the JSON files that describe photos or movies.
    ///   - titles: The titles in these files, in the same order; nil for those without.
    ///   - media: The names of all other files.
    ///   - sources: The parts that contain the files; a description in the same part is preferred.
    package init(
        jsons: [String],
        titles: [String?] = [],
        media: [String],
        sources: Sources = Sources()
    ) {
        self.sources = sources
        jsonNames = jsons.map { TakeoutJSONName(Self.bounded($0)) }
        self.titles = jsons.indices.map { index in
            index < titles.count ? titles[index].map { TakeoutText(Self.nameOf(title: $0)) } : nil
        }
        let sorted = jsons.indices.sorted { jsons[$0] < jsons[$1] }
        var order = [Int](repeating: 0, count: jsons.count)
        for (rank, index) in sorted.enumerated() { order[index] = rank }
        self.order = order
        mediaNames = media.map { TakeoutMediaName(Self.bounded($0)) }
        wholeNames = media.map { TakeoutText(Self.bounded($0)) }
        for (index, name) in jsonNames.enumerated() where name.base.count > 0 {
            exact[Key(base: name.base, number: name.number), default: []].append(index)
            ignoringCase[Key(base: name.base.lowercased, number: name.number), default: []]
                .append(index)
            if name.number > 0 { numberedBases.insert(name.base) }
            if name.isCut {
                cut[Key(base: name.base, number: name.number), default: []].append(index)
                shortestCut = min(shortestCut, name.base.count)
            }
        }
    }

    /// The maximum length of a name that is compared, in UTF-8 bytes.
    ///
    /// Google writes much shorter names, and file systems allow no longer ones. The limit is needed
    /// since some comparisons take time quadratic in the length.
    package static let maximumLength = 255

    /// Returns a name, or an empty string for a name that exceeds the maximum length.
    ///
    /// An empty name matches nothing.
    private static func bounded(_ name: String) -> String {
        name.utf8.count <= maximumLength ? name : ""
    }

    /// Returns the file name that Google derives from a title by replacing some characters.
    static func nameOf(title: String) -> String {
        String(title.map { "/:?&'".contains($0) ? "_" : $0 })
    }

    /// Returns the match of each photo and movie; nil for one with neither a JSON file nor a
    /// partner.
    package func matches() -> [Match?] {
        var result = [Match?](repeating: nil, count: mediaNames.count)
        for index in mediaNames.indices { result[index] = own(index) }
        let originals = originalsByName()
        for index in mediaNames.indices where result[index] == nil {
            result[index] = edited(index, originals) ?? guessedEdit(index, originals)
        }
        let pictures = picturesByName()
        for index in mediaNames.indices where result[index] == nil {
            result[index] = movieHalf(index, pictures, result) ?? forgottenDuplicate(index)
        }
        return result
    }

    // MARK: - Own JSON

    private func own(_ index: Int) -> Match? {
        let name = mediaNames[index]
        if let (_, json) = best(index, name.stem, name.number, name.pathExtension) {
            return Match(json: json, rule: .own)
        }
        guard name.number > 0 else { return nil }
        let numbered = name.stem + TakeoutText("(\(name.number))")
        guard let (rank, json) = best(index, numbered, 0, name.pathExtension),
            rank < 3 || jsonNames[json].base.hasPrefix(numbered)
        else { return nil }
        return Match(json: json, rule: .numberOfTitle)
    }

    /// Returns the JSON file that matches a name best, and the rank of the match.
    ///
    /// A smaller rank is a better match.
    private func best(
        _ index: Int,
        _ stem: TakeoutText,
        _ number: Int,
        _ pathExtension: TakeoutText
    ) -> (rank: Int, json: Int)? {
        let full = stem + pathExtension
        let wanted = [
            exact[Key(base: full, number: number)],
            ignoringCase[Key(base: full.lowercased, number: number)],
            exact[Key(base: stem, number: number)],
        ]
        for (rank, found) in wanted.enumerated() {
            if let json = choose(found ?? [], index, stem) { return (rank, json) }
        }
        guard shortestCut <= full.count else { return nil }
        var plain: [Int] = []
        var supplemental: [Int] = []
        for length in shortestCut...full.count {
            for json in cut[Key(base: full.prefix(length), number: number)] ?? [] {
                if !jsonNames[json].isSupplemental {
                    plain.append(json)
                } else if full.count - length <= pathExtension.count {
                    supplemental.append(json)
                }
            }
        }
        if let json = choose(plain, index, stem) { return (3, json) }
        return choose(supplemental, index, stem).map { (4, $0) }
    }

    /// Returns the best of several JSON files with the same name.
    ///
    /// A JSON file in the same part is preferred, then one whose title begins with the stem, then
    /// the first by name.
    private func choose(_ found: [Int], _ index: Int, _ stem: TakeoutText) -> Int? {
        guard found.count > 1 else { return found.first }
        return found.min { left, right in
            let (isNear, isFar) = (sources.areEqual(index, left), sources.areEqual(index, right))
            guard isNear == isFar else { return isNear }
            let (isLeft, isRight) = (begins(left, stem), begins(right, stem))
            return isLeft == isRight ? order[left] < order[right] : isLeft
        }
    }

    private func begins(_ json: Int, _ stem: TakeoutText) -> Bool {
        titles[json]?.hasPrefix(stem) ?? false
    }

    // MARK: - Edited copies

    private func originalsByName() -> [Key: [Int]] {
        var originals: [Key: [Int]] = [:]
        for index in mediaNames.indices {
            let name = mediaNames[index]
            originals[Key(base: name.stem.lowercased, number: name.number), default: []]
                .append(index)
        }
        return originals
    }

    private static let otherExtensions =
        (TakeoutMediaName.pictures.sorted() + TakeoutMediaName.movies.sorted()).flatMap {
            [TakeoutText($0), TakeoutText($0.uppercased())]
        }

    private func edited(_ index: Int, _ originals: [Key: [Int]]) -> Match? {
        let name = mediaNames[index]
        let lowercased = name.stem.lowercased
        guard lowercased.count == name.stem.count else { return nil }
        let isCut = name.full.count > TakeoutJSONName.limit
        for word in Self.editedWords {
            let shortest = isCut ? 2 : word.count
            let length = stride(from: word.count, through: shortest, by: -1).first {
                lowercased.hasSuffix(word.prefix($0))
            }
            guard let length, length < name.stem.count else { continue }
            let stem = name.stem.prefix(name.stem.count - length)
            let extensions = [name.pathExtension] + Self.otherExtensions
            let json = extensions.lazy.compactMap { best(index, stem, name.number, $0)?.json }.first
            let original = original(stem, name, originals, except: index)
            if json != nil || (original != nil && length == word.count) {
                return Match(json: json, rule: .edited, partner: original)
            }
        }
        return nil
    }

    /// Returns the original of an edited copy.
    ///
    /// An original with the same extension is preferred over one of the same media type; others are
    /// not considered.
    private func original(
        _ stem: TakeoutText,
        _ name: TakeoutMediaName,
        _ originals: [Key: [Int]],
        except index: Int
    ) -> Int? {
        func rank(_ other: Int) -> Int {
            let found = mediaNames[other]
            if found.pathExtension.lowercased == name.pathExtension.lowercased { return 0 }
            return found.isPicture == name.isPicture ? 1 : 2
        }
        let found = originals[Key(base: stem.lowercased, number: name.number)] ?? []
        return found.filter { $0 != index && rank($0) < 2 }
            .min { (rank($0), $0) < (rank($1), $1) }
    }

    /// Pairs a picture with the original whose name equals the part of the picture's name before
    /// the last hyphen, if the original has a JSON file.
    ///
    /// The word after the hyphen is unknown, so the result is marked as guessed. If neither picture
    /// has a JSON file, nothing suggests that one is a copy.
    private func guessedEdit(_ index: Int, _ originals: [Key: [Int]]) -> Match? {
        let name = mediaNames[index]
        guard name.isPicture, let dash = name.stem.units.lastIndex(of: UInt16(ascii: "-")), dash > 0
        else { return nil }
        let word = TakeoutText(units: name.stem.units[(dash + 1)...]).string
        guard !word.isEmpty, !Self.creations.contains(word.lowercased()),
            word.allSatisfy({ $0.isLetter || $0 == " " }),
            let original = original(name.stem.prefix(dash), name, originals, except: index),
            mediaNames[original].isPicture, let json = own(original)?.json
        else { return nil }
        return Match(json: json, rule: .edited, partner: original, isGuessed: true)
    }

    // MARK: - Movies and duplicates

    /// Returns two tables of the folder's pictures: one by stem and number, and one by whole name.
    private func picturesByName() -> (stems: [Key: [Int]], names: [TakeoutText: Int]) {
        var stems: [Key: [Int]] = [:]
        var names: [TakeoutText: Int] = [:]
        for index in mediaNames.indices where mediaNames[index].isPicture {
            let name = mediaNames[index]
            stems[Key(base: name.stem.lowercased, number: name.number), default: []].append(index)
            names[wholeNames[index].lowercased] = index
        }
        return (stems, names)
    }

    private func movieHalf(
        _ index: Int,
        _ pictures: (stems: [Key: [Int]], names: [TakeoutText: Int]),
        _ result: [Match?]
    ) -> Match? {
        let name = mediaNames[index]
        var found: [Int] = []
        if name.isMovie {
            found = pictures.stems[Key(base: name.stem.lowercased, number: name.number)] ?? []
        }
        if let other = pictures.names[wholeNames[index].lowercased + TakeoutText(".jpg")] {
            found.append(other)
        }
        found.removeAll { $0 == index || result[$0]?.rule == .edited }
        guard let picture = found.first(where: { result[$0]?.json != nil }) ?? found.first else {
            return nil
        }
        return Match(json: result[picture]?.json, rule: .movieHalf, partner: picture)
    }

    private func forgottenDuplicate(_ index: Int) -> Match? {
        let name = mediaNames[index]
        guard name.number > 0, name.full.count > TakeoutJSONName.limit,
            let (_, json) = best(index, name.stem, 0, name.pathExtension),
            jsonNames[json].isCut, !jsonNames[json].isSupplemental
        else { return nil }
        return numberedBases.contains(jsonNames[json].base)
            ? nil : Match(json: json, rule: .forgottenDuplicate, isGuessed: true)
    }
}
