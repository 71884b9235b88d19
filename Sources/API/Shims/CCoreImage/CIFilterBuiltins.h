// Nothing: the typed filters are Swift, in the module CoreImage.
#pragma once
