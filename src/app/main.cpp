#include "app/app.hpp"

int main(int argc, char** argv) {
    return weft::app::main(argc, argv);
}
