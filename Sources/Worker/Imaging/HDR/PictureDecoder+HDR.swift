internal import CHeif
internal import CVipsShim
package import PhotoModel

/// A request for an image that may be brighter than SDR white.
package struct HDRRequest: Sendable {
    /// The source of a gain map's pixels.
    package enum MapSource: @unchecked Sendable {
        // Unchecked because raw buffers are not Sendable; the bytes belong to the file being
        // decoded.
        case jpeg(UnsafeRawBufferPointer)
        /// An item of the image's HEIF file.
        case item(UInt32)
        /// The auxiliary image that the HEIF file declares as the image's gain map.
        case auxiliary
    }

    /// The maximum brightness as a multiple of SDR white; 0 for the maximum that the file
    /// specifies.
    package var headroom: Double
    package var gainMap: (map: GainMap, source: MapSource)?

    package init(headroom: Double, gainMap: (map: GainMap, source: MapSource)? = nil) {
        self.headroom = headroom
        self.gainMap = gainMap
    }
}

extension PictureDecoder {
    /// Renders an image as linear light instead of 8-bit colors.
    func finishBright(
        _ rows: PictureRows,
        _ orientation: Orientation,
        _ plan: PixelPlan,
        whole: PixelSize,
        signal: PictureSignal?,
        heif: HEIFPicture?,
        _ bright: HDRRequest
    ) throws(DecodeFailure) {
        var request = request
        request.bright = nil
        request.keepsAlpha = true
        request.bytesPerPixel = 4
        let source: LightRows.Source
        if let signal, signal.isHDR {
            request.keepsNumbers = true
            request.isWide = true
            source = .signal(signal)
        } else {
            request.isDisplayP3 = true
            source = .plain(gainRows(bright, orientation, whole: whole, heif: heif))
        }
        try rows.render(
            plan,
            orientation: orientation,
            request: request,
            converter: converter,
            into: LightRows(source, headroom: bright.headroom, into: sink)
        )
    }

    /// Decodes the stored values of a gain map and passes them to the sink.
    ///
    /// - Parameters:
    ///   - source: The source of the pixels.
    ///   - bytes: The bytes of the file.
    /// - Returns: The map's size.
    /// - Throws: The reason for a failed decode.
    package func decodeGainMap(
        _ source: HDRRequest.MapSource,
        in bytes: UnsafeRawBufferPointer
    ) throws(DecodeFailure) -> PixelSize {
        var pixels: HEIFPixels?
        let rows: PictureRows
        switch source {
        case .jpeg(let map): rows = try PictureRows(CPHOTOS_JPEG, map)
        case .item, .auxiliary:
            let picture: HEIFPicture
            do {
                picture = try HEIFPicture(bytes, maximumPixels: request.maximumPixels, threads: 2)
            } catch {
                throw .damaged(error.words)
            }
            guard let found = picture.gainMap(source) else {
                throw .damaged("its gain map cannot be read")
            }
            pixels = found
            rows = try found.rows()
        }
        defer { withExtendedLifetime(pixels) {} }
        guard rows.size.width * rows.size.height <= request.maximumPixels else {
            throw .tooLarge(rows.size)
        }
        var request = request
        request.keepsNumbers = true
        let turned = pixels?.orientation ?? .up
        let upright = rows.size.displayed(with: turned)
        try rows.render(
            try plan(for: upright),
            orientation: turned,
            request: request,
            converter: converter,
            into: sink
        )
        return upright
    }

    /// Decodes the gain map at the size of the result; returns nil if it is missing or unreadable.
    ///
    /// The image is then rendered as SDR.
    private func gainRows(
        _ bright: HDRRequest,
        _ orientation: Orientation,
        whole: PixelSize,
        heif: HEIFPicture?
    ) -> GainRows? {
        guard let (map, source) = bright.gainMap else { return nil }
        var pixels: HEIFPixels?
        var turned = orientation
        let rows: PictureRows?
        switch source {
        case .jpeg(let bytes): rows = try? PictureRows(CPHOTOS_JPEG, bytes)
        case .item, .auxiliary:
            pixels = heif?.gainMap(source)
            turned = pixels?.orientation ?? .up
            rows = pixels.flatMap { try? $0.rows() }
        }
        guard let rows else { return nil }
        let upright = rows.size.displayed(with: turned)
        guard isSameAspect(upright, whole), rows.size.width * rows.size.height <= 120_000_000,
            let shape = try? plan(for: whole)
        else { return nil }
        var request = request
        request.bright = nil
        request.keepsAlpha = false
        request.keepsNumbers = true
        request.bytesPerPixel = 3
        let plan = shape.moved(from: whole, to: upright)
        let sink = sink
        let memory = RowMemory(limit: plan.canvas.width * plan.canvas.height * 3) {
            sink.isCancelled
        }
        let isRendered =
            (try? rows.render(
                plan,
                orientation: turned,
                request: request,
                converter: converter,
                into: memory
            )) != nil
        withExtendedLifetime(pixels) {}
        return isRendered
            ? GainRows(map, map: memory.bytes, headroom: bright.headroom) : nil
    }
}

extension HEIFPixels {
    /// Returns rows that reference this object's memory; the object must outlive the rows.
    func rows() throws(DecodeFailure) -> PictureRows {
        try PictureRows(
            pixels: bytes,
            size: size,
            bands: bands,
            bytesPerSample: bytesPerSample,
            isPremultiplied: isPremultiplied,
            profile: profile
        )
    }
}

extension HEIFPicture {
    /// Decodes the pixels of a gain map that is an item of this file; returns nil if it is missing
    /// or unreadable.
    func gainMap(_ source: HDRRequest.MapSource) -> HEIFPixels? {
        var handle: OpaquePointer?
        switch source {
        case .jpeg: return nil
        case .item(let item): _ = heif_context_get_image_handle(context, item, &handle)
        case .auxiliary: handle = auxiliaryGainMap
        }
        guard let handle else { return nil }
        defer { heif_image_handle_release(handle) }
        return try? HEIFPixels(handle, of: context, isThumbnail: false)
    }

    private var auxiliaryGainMap: OpaquePointer? {
        let count = min(heif_image_handle_get_number_of_auxiliary_images(primary, 0), 16)
        guard count > 0 else { return nil }
        var items = [heif_item_id](repeating: 0, count: Int(count))
        let found = heif_image_handle_get_list_of_auxiliary_image_IDs(primary, 0, &items, count)
        for item in items.prefix(Int(max(0, found))) {
            var handle: OpaquePointer?
            guard
                heif_image_handle_get_auxiliary_image_handle(primary, item, &handle).code
                    == heif_error_Ok, let handle
            else { continue }
            var words: UnsafePointer<CChar>?
            _ = heif_image_handle_get_auxiliary_type(handle, &words)
            let type = words.map { String(cString: $0) } ?? ""
            if words != nil { heif_image_handle_release_auxiliary_type(handle, &words) }
            if type.hasSuffix("hdrgainmap") { return handle }
            heif_image_handle_release(handle)
        }
        return nil
    }
}
