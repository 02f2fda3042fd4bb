// Noise from integers: the same on every device, in every shape of kernel.

// Mixes the 32 bits of a number so that each bit of the result depends on every bit of x.
FN uint wf_hash(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

// A hash of a place and a seed. Column last, so that the rest is computed once a line.
FN uint wf_hash3(int x, int y, uint seed) {
    return wf_hash((uint)x + wf_hash((uint)y + wf_hash(seed)));
}

// The hash as a number in [0, 1), with 24 bits.
FN float wf_unit(uint hash) {
    return (float)(int)(hash >> 8) * (1.0f / 16777216.0f);
}

// Uniform noise in [0, 1) of a place.
FN float wf_noise(int x, int y, uint seed) {
    return wf_unit(wf_hash3(x, y, seed));
}
