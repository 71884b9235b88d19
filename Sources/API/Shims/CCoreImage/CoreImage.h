// Empty: the module of this name implements CoreImage in Swift.
#pragma once
