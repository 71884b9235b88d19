internal import CVipsShim
package import PhotoModel

extension RecipeRenderer {
    /// How many threads compute libvips' pictures from now on.
    package static func setThreads(_ count: Int) { ph_image_set_threads(Int32(clamping: count)) }

    /// Renders pixels.
    ///
    /// - Parameters:
    ///   - layout: `rgba` or `rgbaHalf`.
    ///   - components: How they lie.
    ///   - sink: Takes the rows.
    /// - Returns: Whether the last component is alpha, not one throughout.
    /// - Throws: Why there are not all rows.
    package func pixels(
        _ layout: PixelBufferLayout,
        _ components: PictureRendering.PixelComponents,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Bool {
        let layer = try whole()
        let output = PointProgram.Output(
            samples: layout == .rgbaHalf ? PH_HALVES : PH_BYTES,
            bands: 4,
            isBlueFirst: components.isBlueFirst,
            isPremultiplied: components.alpha == .premultiplied
        )
        try layer.finished(output, colors: rendering.colors).deliver(into: sink)
        return layer.hasAlpha
    }

    /// Renders a file.
    ///
    /// - Parameters:
    ///   - quality: 1...100 for JPEG and HEIC, 0 for PNG.
    ///   - isHEIF: Whether it is HEIC.
    ///   - exif: What goes with it.
    ///   - sink: Takes the file's bytes.
    /// - Returns: How many bytes it has.
    /// - Throws: Why there is no file.
    package func file(
        quality: Int,
        isHEIF: Bool,
        exif: ExifBlock?,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Int {
        let layer = try whole()
        let isJPEG = quality > 0 && !isHEIF
        let hasAlpha = layer.hasAlpha && !isJPEG
        var described = exif
        if let metadata = rendering.metadata {
            described?.describe(
                orientation: metadata.orientation,
                size: layer.box.size,
                isSRGB: rendering.colors == .sRGB
            )
        }
        let output = PointProgram.Output(
            samples: PH_BYTES,
            bands: hasAlpha ? 4 : 3,
            isPremultiplied: false
        )
        let image = try layer.finished(output, colors: rendering.colors)
        let profile = rendering.colors == .displayP3 ? ColorProfile.displayP3Bytes : nil
        if isHEIF {
            let file = try HEIFFile(
                layer.box.size,
                hasAlpha: hasAlpha,
                profile: profile,
                sink: sink
            )
            try image.deliver(into: file)
            return try file.write(quality: quality, exif: described?.bytes)
        }
        let written = try image.encode(
            quality: quality,
            profile: isJPEG ? nil : profile,
            sink: sink
        ) { file -> Int in
            let (wanted, segments) =
                isJPEG
                ? FileSegments.jpeg(file, exif: described?.bytes, profile: profile)
                : FileSegments.png(exif: described?.bytes)
            let place = min(wanted, file.count)
            let isTaken =
                sink.take(UnsafeRawBufferPointer(rebasing: file[..<place]))
                && segments.withUnsafeBytes { sink.take($0) }
                && sink.take(UnsafeRawBufferPointer(rebasing: file[place...]))
            return isTaken ? file.count + segments.count : 0
        }
        guard written > 0 else {
            throw sink.isCancelled ? .cancelled : .damaged("the file finds no memory")
        }
        return written
    }
}
