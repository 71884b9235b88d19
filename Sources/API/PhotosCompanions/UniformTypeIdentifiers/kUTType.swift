// The type constants that older programs use; `UTType` has the same ones and more.

/// The base type of all items.
public var kUTTypeItem: CFString { "public.item" }
/// Any content that people view, read or listen to.
public var kUTTypeContent: CFString { "public.content" }
/// Any byte stream.
public var kUTTypeData: CFString { "public.data" }
/// Any image.
public var kUTTypeImage: CFString { "public.image" }
/// A camera raw image.
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
/// A Live Photo: a still image with its movie.
public var kUTTypeLivePhoto: CFString { "com.apple.live-photo" }
/// Any audiovisual content.
public var kUTTypeAudiovisualContent: CFString { "public.audiovisual-content" }
/// Video with or without audio.
public var kUTTypeMovie: CFString { "public.movie" }
/// Video without audio.
public var kUTTypeVideo: CFString { "public.video" }
/// Audio.
public var kUTTypeAudio: CFString { "public.audio" }
/// QuickTime.
public var kUTTypeQuickTimeMovie: CFString { "com.apple.quicktime-movie" }
/// MPEG-1 and MPEG-2 program streams.
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
