// The program: command line in, exit status out.
#pragma once

#include <string>
#include <vector>

namespace weft::app {

// Parses the command line, runs one command and maps failures to the exit status: 0 complete, 1 finished with
// losses, 2 refused or failed, 130 after SIGINT. Every failure is printed on stderr as "error: ..." lines,
// one for each complaint. Throws nothing.
int main(int argc, char** argv);

} // namespace weft::app
