import Foundation
import PhotoModel

extension SampleSet {
    /// Returns a small library as a user may have it: trips over some years, and one of each
    /// special kind.
    ///
    /// The same arguments give the same files. Special ones come first, so that a small set still
    /// includes them; pairs and bursts stay complete. `megapixels` is the size of the ordinary
    /// photos; 12.2 are 4032 × 3024.
    package static func demo(
        count: Int = 60,
        seed: UInt64 = 1,
        megapixels: Double = 1.2
    ) -> SampleSet {
        var builder = DemoBuilder(seed: seed, megapixels: megapixels)
        var entries: [Entry] = []
        for group in builder.specialGroups() where entries.count + group.count <= count {
            entries += group
        }
        entries += builder.ordinary(count: max(0, count - entries.count))
        return SampleSet(entries: entries)
    }
}

/// Creates the demo's entries, numbering file names and generating random numbers.
private struct DemoBuilder {
    typealias Entry = SampleSet.Entry

    private var generator: SeededGenerator
    private let landscape: PixelSize
    private var number = 1

    init(seed: UInt64, megapixels: Double) {
        generator = SeededGenerator(seed: seed)
        let height = Int((max(megapixels, 0.01) * 750_000).squareRoot() / 12 + 0.5) * 12
        landscape = PixelSize(width: max(height, 12) * 4 / 3, height: max(height, 12))
    }

    private var portrait: PixelSize {
        PixelSize(width: landscape.height, height: landscape.width)
    }

    // MARK: - Ordinary photos

    /// Returns photos of all trips in turn, some of them in portrait format.
    mutating func ordinary(count: Int) -> [Entry] {
        (0..<count).map { index in
            let trip = Trip.all[index % Trip.all.count]
            let round = index / Trip.all.count
            let isUpright = generator.next() % 4 == 0
            var photo = photo(
                trip,
                trip.scenes[round % trip.scenes.count],
                after: Double(round) * 5_400 + Double(generator.next() % 3_000),
                size: isUpright ? portrait : landscape
            )
            if isUpright { photo.metadata.orientation = .right }
            if index % 5 == 0 {
                photo.metadata.title = trip.title
                photo.metadata.keywords = trip.keywords
            }
            if index % 7 == 0 { photo.metadata.rating = 5 }
            return Entry(name(trip, "JPG"), .jpeg(photo))
        }
    }

    private mutating func photo(
        _ trip: Trip,
        _ kind: SceneKind,
        after seconds: Double,
        size: PixelSize
    ) -> SamplePhoto {
        SamplePhoto(
            Picture(kind, seed: generator.next()),
            size: size,
            metadata: trip.metadata(after: seconds, generator: &generator)
        )
    }

    private mutating func name(_ trip: Trip, _ suffix: String) -> String {
        defer { number += 1 }
        return "DCIM/\(trip.camera.folder)/IMG_\(SampleDate.digits(number, 4)).\(suffix)"
    }

    // MARK: - Special files

    /// Returns groups of files that belong together.
    mutating func specialGroups() -> [[Entry]] {
        [
            livePhoto(), burst(), rawPair(), edit(), panorama(), sphere(), screenshot(), selfie(),
            depthPortrait(), highDynamicRange(), slowMotion(), timeLapse(), movie(), animation(),
            sidecar(), awkwardNames(), turned(), duplicate(), withoutDate(),
        ]
    }

    private mutating func livePhoto() -> [Entry] {
        let trip = Trip.all[4]
        var photo = photo(trip, .sea, after: 120, size: landscape)
        photo.metadata.contentIdentifier = generator.uuid()
        let still = name(trip, "JPG")
        var movie = movie(of: photo, duration: 2.8, frameRate: 30)
        movie.picture.phase -= 1.4
        movie.stillTime = 1.8
        movie.hasSound = true
        return [
            Entry(still, .jpeg(photo)),
            Entry(still.replacingOccurrences(of: ".JPG", with: ".MOV"), .movie(movie)),
        ]
    }

    private mutating func burst() -> [Entry] {
        let trip = Trip.all[6]
        let identifier = generator.uuid()
        let first = photo(trip, .sea, after: 400, size: landscape)
        return (0..<5).map { index in
            var frame = first
            frame.picture.phase = Float(index) * 0.4
            frame.metadata.burstIdentifier = identifier
            frame.metadata.date?.subseconds = SampleDate.digits(100 + index * 100, 3)
            return Entry(name(trip, "JPG"), .jpeg(frame))
        }
    }

    private mutating func rawPair() -> [Entry] {
        let trip = Trip.all[3]
        let photo = photo(trip, .lake, after: 900, size: landscape)
        let name = name(trip, "JPG")
        return [
            Entry(name, .jpeg(photo)),
            Entry(name.replacingOccurrences(of: ".JPG", with: ".DNG"), .dng(photo)),
        ]
    }

    private mutating func edit() -> [Entry] {
        let trip = Trip.all[2]
        let photo = photo(trip, .flowers, after: 1_500, size: landscape)
        let name = name(trip, "JPG")
        var rendered = photo
        rendered.picture.kind = .flowers
        rendered.size = PixelSize(width: photo.size.height, height: photo.size.height)
        return [
            Entry(name, .jpeg(photo)),
            Entry(name.replacingOccurrences(of: ".JPG", with: ".AAE"), .adjustment),
            Entry(name.replacingOccurrences(of: "IMG_", with: "IMG_E"), .jpeg(rendered)),
        ]
    }

    private mutating func panorama() -> [Entry] {
        let trip = Trip.all[3]
        let size = PixelSize(width: landscape.height * 3, height: landscape.height * 3 / 4)
        var photo = photo(trip, .lake, after: 3_600, size: size)
        photo.metadata.make = "Apple"
        photo.metadata.model = "iPhone XS"
        photo.metadata.customRendered = 6
        return [Entry(name(trip, "JPG"), .jpeg(photo))]
    }

    private mutating func sphere() -> [Entry] {
        let trip = Trip.all[7]
        let size = PixelSize(width: landscape.height * 2, height: landscape.height)
        var photo = photo(trip, .hills, after: 7_200, size: size)
        photo.metadata.projection = "equirectangular"
        return [Entry(name(trip, "JPG"), .jpeg(photo))]
    }

    private mutating func screenshot() -> [Entry] {
        let trip = Trip.all[6]
        let size = PixelSize(width: 590, height: 1_278)
        var photo = photo(trip, .desktop, after: 600, size: size)
        photo.metadata = SampleMetadata(date: photo.metadata.date)
        photo.metadata.userComment = "Screenshot"
        return [Entry(name(trip, "PNG"), .png(photo))]
    }

    private mutating func selfie() -> [Entry] {
        let trip = Trip.all[5]
        var photo = photo(trip, .portrait, after: 800, size: portrait)
        photo.metadata.lens = "iPhone 13 Pro front TrueDepth camera 2.71mm f/2.2"
        photo.metadata.orientation = .right
        return [Entry(name(trip, "JPG"), .jpeg(photo))]
    }

    private mutating func depthPortrait() -> [Entry] {
        let trip = Trip.all[6]
        var photo = photo(trip, .portrait, after: 2_800, size: portrait)
        photo.metadata.orientation = .right
        photo.metadata.customRendered = 8
        return [Entry(name(trip, "JPG"), .jpeg(photo))]
    }

    private mutating func highDynamicRange() -> [Entry] {
        let trip = Trip.all[4]
        var photo = photo(trip, .hills, after: 4_000, size: landscape)
        photo.metadata.customRendered = 3
        photo.metadata.appleHDRImageType = 3
        return [Entry(name(trip, "JPG"), .jpeg(photo))]
    }

    private mutating func slowMotion() -> [Entry] {
        let trip = Trip.all[7]
        let photo = photo(trip, .winter, after: 5_000, size: landscape)
        var movie = movie(of: photo, duration: 0.75, frameRate: 240)
        movie.keys[SampleMovie.fullFrameRateKey] = .integer(0)
        return [Entry(name(trip, "MOV"), .movie(movie))]
    }

    private mutating func timeLapse() -> [Entry] {
        let trip = Trip.all[6]
        let photo = photo(trip, .town, after: 9_000, size: landscape)
        var movie = movie(of: photo, duration: 2, frameRate: 30)
        movie.speed = 30
        movie.drawnFrames = 24
        return [Entry(name(trip, "MOV"), .movie(movie))]
    }

    private mutating func movie() -> [Entry] {
        let trip = Trip.all[0]
        let photo = photo(trip, .sea, after: 6_000, size: landscape)
        var movie = movie(of: photo, duration: 3, frameRate: 30)
        movie.metadata.orientation = .right
        movie.size = moviePortrait
        movie.hasSound = true
        return [Entry(name(trip, "MOV"), .movie(movie))]
    }

    private mutating func animation() -> [Entry] {
        let size = PixelSize(width: 320, height: 240)
        return [Entry("Downloads/boat.gif", .gif(Picture(.sea, seed: generator.next()), size))]
    }

    private mutating func sidecar() -> [Entry] {
        let trip = Trip.all[1]
        let photo = photo(trip, .night, after: 30_000, size: landscape)
        var words = SampleMetadata()
        words.title = "The Milky Way over the camp"
        words.keywords = ["night", "stars", "camping"]
        words.rating = 4
        let name = name(trip, "JPG")
        return [
            Entry(name, .jpeg(photo)),
            Entry(name.replacingOccurrences(of: ".JPG", with: ".xmp"), .sidecar(words)),
        ]
    }

    private mutating func awkwardNames() -> [Entry] {
        let names = [
            "Mum's birthday (final) & more.jpg", "-rf.jpg", "Ünï cödé ☀️.JPEG", "no extension",
            "really a JPEG.png",
        ]
        return names.map { name in
            let photo = photo(Trip.all[0], .flowers, after: 86_400, size: landscape)
            return Entry("Odd names/\(name)", .jpeg(photo))
        }
    }

    private mutating func turned() -> [Entry] {
        let trip = Trip.all[3]
        return [Orientation.down, .left].map { orientation in
            let size = orientation.swapsSides ? portrait : landscape
            var photo = photo(trip, .hills, after: 12_000, size: size)
            photo.metadata.orientation = orientation
            return Entry(name(trip, "JPG"), .jpeg(photo))
        }
    }

    private mutating func duplicate() -> [Entry] {
        let photo = photo(Trip.all[2], .town, after: 20_000, size: landscape)
        return [
            Entry(name(Trip.all[2], "JPG"), .jpeg(photo)),
            Entry("Downloads/the same again.jpg", .jpeg(photo)),
        ]
    }

    private mutating func withoutDate() -> [Entry] {
        var photo = photo(Trip.all[0], .dunes, after: 0, size: landscape)
        photo.metadata = SampleMetadata()
        photo.metadata.hasThumbnail = false
        return [Entry("Scans/dunes.jpg", .jpeg(photo))]
    }

    /// The sizes of movies, which are no larger than the photos.
    private var movieLandscape: PixelSize {
        landscape.width < 640 ? landscape : PixelSize(width: 640, height: 480)
    }

    private var moviePortrait: PixelSize {
        landscape.width < 640 ? portrait : PixelSize(width: 360, height: 640)
    }

    private func movie(of photo: SamplePhoto, duration: Double, frameRate: Int) -> SampleMovie {
        var movie = SampleMovie(
            photo.picture,
            size: movieLandscape,
            duration: duration,
            frameRate: frameRate,
            created: photo.metadata.instant,
            metadata: photo.metadata
        )
        movie.metadata.lens = nil
        return movie
    }
}

extension SampleMetadata {
    /// The time in UTC, from the GPS time.
    fileprivate var instant: Date? {
        guard let gpsTime else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy:MM:dd HH:mm:ss"
        return formatter.date(from: gpsTime)
    }
}
