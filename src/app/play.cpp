// weft play: the composition in a window, live.
#include "app/command.hpp"
