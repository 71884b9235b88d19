// The constants by which older programs name kinds of files; `UTType` has the same and more.

/// Anything at all.
public var kUTTypeItem: CFString { "public.item" }
/// Anything that people look at, read or listen to.
public var kUTTypeContent: CFString { "public.content" }
/// A stream of bytes.
public var kUTTypeData: CFString { "public.data" }
/// An image of any kind.
public var kUTTypeImage: CFString { "public.image" }
/// What a camera's sensor saw.
public var kUTTypeRawImage: CFString { "public.camera-raw-image" }
/// JPEG.
public var kUTTypeJPEG: CFString { "public.jpeg" }
/// JPEG 2000.
public var kUTTypeJPEG2000: CFString { "public.jpeg-2000" }
/// PNG.
public var kUTTypePNG: CFString { "public.png" }
/// GIF.
public var kUTTypeGIF: CFString { "com.compuserve.gif" }
/// TIFF.
public var kUTTypeTIFF: CFString { "public.tiff" }
/// Windows bitmap.
public var kUTTypeBMP: CFString { "com.microsoft.bmp" }
/// A still with its movie.
public var kUTTypeLivePhoto: CFString { "com.apple.live-photo" }
/// Sound and pictures.
public var kUTTypeAudiovisualContent: CFString { "public.audiovisual-content" }
/// Moving pictures, with or without sound.
public var kUTTypeMovie: CFString { "public.movie" }
/// Moving pictures without sound.
public var kUTTypeVideo: CFString { "public.video" }
/// Sound.
public var kUTTypeAudio: CFString { "public.audio" }
/// QuickTime.
public var kUTTypeQuickTimeMovie: CFString { "com.apple.quicktime-movie" }
/// MPEG-1 and MPEG-2 programme streams.
public var kUTTypeMPEG: CFString { "public.mpeg" }
/// MPEG-2 transport streams.
public var kUTTypeMPEG2TransportStream: CFString { "public.mpeg-2-transport-stream" }
/// MPEG-4.
public var kUTTypeMPEG4: CFString { "public.mpeg-4" }
/// AVI.
public var kUTTypeAVIMovie: CFString { "public.avi" }
/// Text in any encoding.
public var kUTTypeText: CFString { "public.text" }
/// XML.
public var kUTTypeXML: CFString { "public.xml" }
/// A property list in any encoding.
public var kUTTypePropertyList: CFString { "com.apple.property-list" }
