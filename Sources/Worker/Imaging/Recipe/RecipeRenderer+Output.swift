internal import CVipsShim
package import PhotoModel

extension RecipeRenderer {
    /// Sets the number of threads with which libvips computes images from now on.
    package static func setThreads(_ count: Int) {
        cphotos_image_set_threads(Int32(clamping: count))
    }

    /// Renders the requested region as pixels.
    ///
    /// - Parameters:
    ///   - layout: `rgba` or `rgbaHalf`.
    ///   - components: The order and meaning of the components.
    ///   - sink: Receives the rows.
    /// - Returns: Whether parts of the result may be transparent.
    /// - Throws: The reason why rows are missing.
    package func pixels(
        _ layout: PixelBufferLayout,
        _ components: PictureRendering.PixelComponents,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Bool {
        let layer = try whole()
        let output = PointProgram.Output(
            samples: layout == .rgbaHalf ? CPHOTOS_HALVES : CPHOTOS_BYTES,
            bands: 4,
            isBlueFirst: components.isBlueFirst,
            isPremultiplied: components.alpha == .premultiplied
        )
        try layer.finished(output, colors: rendering.colors).deliver(into: sink)
        return layer.hasAlpha
    }

    /// Renders a file in the rendering's output format.
    ///
    /// - Parameters:
    ///   - exif: The EXIF data if the rendering has no attachments.
    ///   - gainMap: The gain map image of the attachments.
    ///   - sink: Receives the file's bytes.
    /// - Returns: The length of the file in bytes.
    /// - Throws: The reason for a failure.
    package func file(
        exif: ExifBlock?,
        gainMap: RecipePicture?,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Int {
        let layer = try whole()
        var isJPEG = false
        if case .jpeg = rendering.output { isJPEG = true }
        let hasAlpha = layer.hasAlpha && !isJPEG
        let output = PointProgram.Output(
            samples: CPHOTOS_BYTES,
            bands: hasAlpha ? 4 : 3,
            isPremultiplied: false
        )
        let image = try layer.finished(output, colors: rendering.colors)
        let profile = rendering.colors == .displayP3 ? ColorProfile.displayP3Bytes : nil
        var content = content(exif, layer.box.size)
        switch rendering.output {
        case .pixels: throw .damaged("pixels cannot be written as a file")
        case .tiff:
            return try TIFFFile.write(
                image,
                layer.box.size,
                hasAlpha: hasAlpha,
                rendering.attachments,
                profile: profile,
                into: sink
            )
        case .heif(let quality):
            let file = try HEIFFile(
                layer.box.size,
                hasAlpha: hasAlpha,
                profile: profile,
                sink: sink
            )
            try image.deliver(into: file)
            return try file.write(
                quality: quality,
                orientation: rendering.attachments?.orientation
                    ?? rendering.metadata?.orientation ?? .up,
                content,
                gainMap: try gainMapRows(gainMap, sink)
            )
        case .jpeg(let quality):
            content.profile = profile
            content.gainMap = try gainMap.map { map throws(DecodeFailure) in
                try gainMapFile(map, sink)
            }
            return try encode(image, quality: min(max(quality, 1), 100), content, into: sink)
        case .png: return try encode(image, quality: 0, profile: profile, content, into: sink)
        }
    }

    // MARK: - Parts

    /// Returns the metadata to insert into the file.
    private func content(_ exif: ExifBlock?, _ size: PixelSize) -> FileSegments.Content {
        var content = FileSegments.Content()
        if let attachments = rendering.attachments {
            content.exif = attachments.tags.isEmpty ? nil : attachments.tags.block
            content.xmp = attachments.xmp.map { Array($0) }
            content.iptc = attachments.iptc.map { Array($0) }
        } else {
            var described = exif
            if let metadata = rendering.metadata {
                // The source may declare its orientation elsewhere.
                if metadata.orientation != .up {
                    described = described ?? ExifBlock(metadata.orientation)
                }
                described?.describe(
                    orientation: metadata.orientation,
                    size: size,
                    isSRGB: rendering.colors == .sRGB
                )
            }
            content.exif = described?.bytes
        }
        return content
    }

    /// Encodes a JPEG file, or a PNG file for quality 0.
    private func encode(
        _ image: LazyImage,
        quality: Int,
        profile: [UInt8]? = nil,
        _ content: FileSegments.Content,
        into sink: any RowSink
    ) throws(DecodeFailure) -> Int {
        guard let map = content.gainMap else {
            let writer = SegmentWriter(content, isJPEG: quality > 0, sink: sink)
            try image.encode(quality: quality, profile: profile, sink: sink, take: writer.take)
            guard writer.finish() else { throw Self.lack(of: sink) }
            return writer.length
        }
        // The index of two images has the length of the first one, so the file must be complete.
        let file = try image.encoded(quality: quality, profile: profile, sink: sink)
        let written = file.withUnsafeBytes { file -> Int? in
            let (wanted, segments) =
                quality > 0 ? FileSegments.jpeg(file, content) : FileSegments.png(content)
            let place = min(wanted, file.count)
            let isTaken =
                sink.take(UnsafeRawBufferPointer(rebasing: file[..<place]))
                && segments.withUnsafeBytes { sink.take($0) }
                && sink.take(UnsafeRawBufferPointer(rebasing: file[place...]))
                && map.withUnsafeBytes { sink.take($0) }
            return isTaken ? file.count + segments.count + map.count : nil
        }
        guard let written else { throw Self.lack(of: sink) }
        return written
    }

    /// Returns the reason why a sink stopped.
    private static func lack(of sink: any RowSink) -> DecodeFailure {
        sink.isCancelled ? .cancelled : .damaged("there is not enough memory for the file")
    }

    // MARK: - Gain maps

    /// Encodes the gain map as a separate JPEG file.
    private func gainMapFile(
        _ map: RecipePicture,
        _ sink: any RowSink
    ) throws(DecodeFailure) -> [UInt8] {
        var content = FileSegments.Content()
        content.xmp = rendering.attachments?.gainMap.map { Array($0.xmp) }
        let file = try map.image.encoded(quality: 90, profile: nil, sink: sink)
        let (wanted, segments) = file.withUnsafeBytes { FileSegments.jpeg($0, content) }
        let place = min(wanted, file.count)
        return Array(file[..<place]) + segments + Array(file[place...])
    }

    /// Returns the gain map's pixels for a HEIC file.
    private func gainMapRows(
        _ map: RecipePicture?,
        _ sink: any RowSink
    ) throws(DecodeFailure) -> HEIFGainMap? {
        guard let map, let said = rendering.attachments?.gainMap else { return nil }
        let rows = RowMemory(limit: said.size.width * said.size.height * 3) { sink.isCancelled }
        try map.image.deliver(into: rows)
        return HEIFGainMap(
            size: map.image.size,
            rows: rows.bytes,
            isGray: said.isGray,
            xmp: Array(said.xmp)
        )
    }
}
