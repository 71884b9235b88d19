// Empty: the module CoreImage implements the typed filters in Swift.
#pragma once
