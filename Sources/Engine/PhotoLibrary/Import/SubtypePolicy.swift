package import PhotoModel
package import WorkerProtocol

/// Determines the subtypes of a medium from the metadata that its camera wrote.
///
/// The Live Photo subtype is not determined here, since it requires both halves.
package enum SubtypePolicy {
    /// The frame rate from which a movie counts as slow motion; cameras use 120 and 240 frames per
    /// second.
    static let highFrameRate = 100.0

    /// Returns the subtypes of a medium.
    ///
    /// `filename` is the imported name, which is the only indication that some programs leave.
    package static func subtypes(of facts: MediaFacts, filename: String) -> MediaSubtypes {
        facts.format.isMovie
            ? movieSubtypes(of: facts, filename: filename)
            : stillSubtypes(of: facts, filename: filename)
    }

    // MARK: - Stills

    private static func stillSubtypes(of facts: MediaFacts, filename: String) -> MediaSubtypes {
        var subtypes: MediaSubtypes = []
        let isApple = facts.camera.make?.lowercased() == "apple"
        // EXIF defines 0 and 1. The other values are Apple's: 3 is an HDR image, 6 a panorama, 7 an
        // HDR portrait, 8 a portrait, 9 an HDR portrait.
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

    /// Returns whether an image is a screenshot.
    ///
    /// iOS and macOS state this in the user comment, other programs only in the file name.
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
        // The intent determines how Apple's players show a movie: 0 slowed down, 1 at its full
        // rate.
        let intent = value(of: "full-frame-rate-playback-intent", in: movie)
        // Android cameras store slow motion slowed down, together with the capture frame rate.
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

    /// Returns the value of a metadata key, regardless of the key's namespace prefix.
    private static func value(of name: String, in movie: MovieSummary) -> String? {
        movie.keys.first { key, _ in
            let key = key.lowercased()
            return key == name || key.hasSuffix("." + name) || key.hasSuffix(":" + name)
        }?.value
    }
}
