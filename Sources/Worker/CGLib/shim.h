// Holds nothing: the target exists for the include paths of GLib, which <vips/vips.h> needs and
// which only pkg-config knows.
