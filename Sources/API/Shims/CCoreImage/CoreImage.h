// Nothing: what CoreImage has is Swift, in the module of that name.
#pragma once
