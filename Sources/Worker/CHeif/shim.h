#include <libheif/heif.h>
#include <libheif/heif_properties.h>
#include <libheif/heif_items.h>
