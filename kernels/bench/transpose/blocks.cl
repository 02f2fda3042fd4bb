// For processors: a work-item turns a block that its cache holds, line by line of the result.
__kernel void transpose(__global const SAMPLE *restrict in, __global SAMPLE *restrict out) {
    __global const SAMPLE *from = in + get_global_id(1) * BLOCK * PITCH + get_global_id(0) * BLOCK;
    __global SAMPLE *to = out + get_global_id(0) * BLOCK * OUT_PITCH + get_global_id(1) * BLOCK;
    for (int x = 0; x < BLOCK; ++x)
#pragma unroll
        for (int y = 0; y < BLOCK; ++y)
            to[x * OUT_PITCH + y] = from[y * PITCH + x];
}
