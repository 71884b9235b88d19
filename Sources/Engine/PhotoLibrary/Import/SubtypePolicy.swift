package import PhotoModel
package import WorkerProtocol

/// Decides what is special about a medium, from what its camera wrote.
///
/// The Live Photo subtype is not decided here: it takes both halves.
package enum SubtypePolicy {
    /// From this on a movie is slow motion, as cameras sell it: 120 and 240 frames per second.
    static let highFrameRate = 100.0

    /// The subtypes of a medium.
    ///
    /// `filename` is the name it was imported under: some programs say it there alone.
    package static func subtypes(of facts: MediaFacts, filename: String) -> MediaSubtypes {
        facts.format.isMovie
            ? movieSubtypes(of: facts, filename: filename)
            : stillSubtypes(of: facts, filename: filename)
    }

    // MARK: - Stills

    private static func stillSubtypes(of facts: MediaFacts, filename: String) -> MediaSubtypes {
        var subtypes: MediaSubtypes = []
        let isApple = facts.camera.make?.lowercased() == "apple"
        // EXIF allows 0 and 1 here; the rest is Apple's: 3 an HDR, 6 a panorama, 7 a portrait in
        // HDR, 8 a portrait, 9 a portrait in HDR.
        let rendered = isApple ? facts.customRendered : nil
        if facts.isPanorama || facts.panoramaProjection != nil || rendered == 6 {
            subtypes.insert(.photoPanorama)
        }
        if !facts.hdr.isEmpty || facts.appleHDRImageType == 3
            || [3, 7, 9].contains(rendered ?? 0)
        {
            subtypes.insert(.photoHDR)
        }
        if !facts.depth.isEmpty || [7, 8, 9].contains(rendered ?? 0) {
            subtypes.insert(.photoDepthEffect)
        }
        if facts.isAnimated { subtypes.insert(.photoAnimation) }
        if facts.isStereo { subtypes.insert(.spatialMedia) }
        if isScreenshot(facts, filename: filename) { subtypes.insert(.photoScreenshot) }
        return subtypes
    }

    /// iOS and macOS write it as the user's comment; others only name the file so.
    private static func isScreenshot(_ facts: MediaFacts, filename: String) -> Bool {
        if let comment = facts.userComment, comment.lowercased() == "screenshot" { return true }
        guard facts.camera.make == nil, facts.camera.aperture == nil,
            [.png, .jpeg, .webp, .heic].contains(facts.format)
        else { return false }
        let name = filename.lowercased()
        return ["screenshot", "screen shot ", "simulator screenshot"]
            .contains(where: name.hasPrefix)
    }

    // MARK: - Movies

    private static func movieSubtypes(of facts: MediaFacts, filename: String) -> MediaSubtypes {
        var subtypes: MediaSubtypes = []
        guard let movie = facts.movie, movie.videoCodec != nil else { return subtypes }
        // The intent says how Apple's players show a movie: 0 slowed down, 1 at its full rate.
        let intent = value(of: "full-frame-rate-playback-intent", in: movie)
        // Android's cameras write slow motion slowed down, and beside it how fast it was captured.
        let captured = value(of: "capture.fps", in: movie).flatMap(Double.init) ?? 0
        let rate = max(movie.frameRate ?? 0, captured.isFinite ? captured : 0)
        if intent == "0" || rate >= highFrameRate {
            subtypes.insert(.videoHighFrameRate)
        }
        if value(of: "capturemode", in: movie)?.lowercased().contains("lapse") == true
            || value(of: "capture-mode", in: movie)?.lowercased().contains("lapse") == true
        {
            subtypes.insert(.videoTimelapse)
        }
        if value(of: "cinematic-video.intent", in: movie) == "1"
            || value(of: "cinematic-video", in: movie) != nil
        {
            subtypes.insert(.videoCinematic)
        }
        if value(of: "author", in: movie)?.hasPrefix("ReplayKit") == true
            || filename.lowercased().hasPrefix("rpreplay")
        {
            subtypes.insert(.videoScreenRecording)
        }
        if facts.isStereo { subtypes.insert(.spatialMedia) }
        return subtypes
    }

    /// The value of a key, whatever name space stands before it.
    private static func value(of name: String, in movie: MovieSummary) -> String? {
        movie.keys.first { key, _ in
            let key = key.lowercased()
            return key == name || key.hasSuffix("." + name) || key.hasSuffix(":" + name)
        }?.value
    }
}
