// Sending descriptors over a socket, and sealed memory: both are macros in C.
#ifndef PH_DESCRIPTORS_H
#define PH_DESCRIPTORS_H

#pragma clang assume_nonnull begin

/// The seals that pixels must carry: no growing, no shrinking, no writing, no more seals.
int ph_all_seals(void);

#pragma clang assume_nonnull end

#endif
