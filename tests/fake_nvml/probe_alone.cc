// The engine's GPU probe as a program of its own, so that the engine can be tested without the whole of berth.
#include "engine/local/gpu/gpu_probe.h"

int main(int argc, char** argv) { return berth::run_gpu_probe(argc, argv); }
